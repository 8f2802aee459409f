"""Texts of many shapes and of any size, to measure what each costs: see bench/cost.py.

The shapes are those that tools hand to agents, and those that an attacker would send: one word repeated, one line, noise. shapes.py
lists them.
"""
