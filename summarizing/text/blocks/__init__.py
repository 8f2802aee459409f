"""Blocks of lines, as any text may have them: paragraphs, lists, tables, fences, logs; decides no headings."""
