"""Tool results made shorter by code, row by row, so that what was left out of their spelling can be put back."""
