"""Search of the web: one interface over several providers, of which the operator chooses one."""
