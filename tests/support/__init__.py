"""What the tests share: servers, clients, texts and clocks, and no test."""
