"""The contestants as programs: each listens on 127.0.0.1, prints its port as a line of JSON, and serves until it is killed."""
