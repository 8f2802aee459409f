"""What operators see of the service: log lines, metrics, traces."""
