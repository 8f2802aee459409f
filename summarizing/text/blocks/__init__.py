"""Blocks of lines, as any text may have them: paragraphs, lists, tables, fences, logs, dialogues, chats, terminal sessions; decides no headings."""
