FROM python:3.12-slim

WORKDIR /app

COPY requirements.txt ./
RUN python -m pip install --no-cache-dir --disable-pip-version-check --root-user-action=ignore --require-hashes -r requirements.txt

COPY *.py README.md LICENSE ./
COPY prompts/ prompts/
COPY command_line/ command_line/
COPY concurrency/ concurrency/
COPY gateway/ gateway/
COPY observability/ observability/
COPY protocol/ protocol/
COPY provider/ provider/
COPY settings/ settings/
COPY storage/ storage/
COPY summarizing/ summarizing/
COPY tools/ tools/
COPY transport/ transport/
COPY web_tools/ web_tools/
# Bytecode is made here, because nothing can be written later: of our files by their hash, so that their times do not
# matter, and of what they import too, since the slim image comes without that of the standard library. It also proves
# that both programs can be imported and that the tokenizer's vocabulary is in the image.
RUN python -m compileall -q --invalidation-mode checked-hash . && python -c "import app, command_line.cli as cli; cli.load_tokenizer(cli.read_vocabulary())"

# Every other setting keeps its default or comes from outside.
ENV PYTHONUNBUFFERED=1 \
    MCP_SUMMARIZER_HOST=0.0.0.0 \
    MCP_SUMMARIZER_PORT=8007

USER 10001:10001
EXPOSE 8007

# An empty ProxyHandler: a proxy set for the container is not the way to its own port.
HEALTHCHECK --interval=15s --timeout=5s --start-period=10s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.build_opener(r.ProxyHandler({})).open(f'http://127.0.0.1:{os.environ[\"MCP_SUMMARIZER_PORT\"]}/health', timeout=4)"]

CMD ["python", "app.py"]
