"""The formats: a report as text, one file each.

A format is a module that is named as users name it, with

- `SUFFIX: str`, how the name of its file ends, such as `.json`; empty where it makes no file,
- `render(report: Report) -> str`, a pure function.

It may say `JOINABLE = True`: the texts of several reports, one after the other, are one text of the
format. Where it does not, only one report is printed at a time. It may define
`render_at(report, *, file, line)`, which is then called instead: `file` is the path of the suite
file in its repository, and `line` returns the line of a JSON Pointer into it, or None.

It renders every report: whatever a text holds, it neither raises nor lets that text act on a
terminal, an XML reader or a web page.
"""
