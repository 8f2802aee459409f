"""What the fuzz tests send: real requests, their messages and their HTTP spoilt; the same for the same seed."""
