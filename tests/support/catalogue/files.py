"""Files that are no tables."""

import codecs
import gzip
from pathlib import Path

from allrelevant.tabular import TableError, read_table

_ROWS = b"a,b\n1,2\n"

# By its name, what a file holds.
FILES = {
    "empty.csv": b"",
    "blank.csv": b" \n \n",
    "header.csv": b"a,b,c\n",
    "header.tsv": b"a\tb\n\n",
    "picture.csv": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    "utf16-without-a-mark.csv": "a,b\n1,2\n".encode("utf-16-le"),
    "half-utf16.csv": codecs.BOM_UTF16_LE + _ROWS.decode().encode("utf-16-le") + b"x",
    "half-utf32.csv": codecs.BOM_UTF32_LE + _ROWS.decode().encode("utf-32-le") + b"x",
    "unknown-letters.csv": _ROWS + b"\x81\xff,3\n",
    "short-row.csv": b"a,b,c\n1,2,3\n1,2\n",
    "long-row.csv": b"a,b,c\n1,2,3\n1,2,3,4\n",
    "comma-in-some-rows.csv": b"a,b,c\n1,2,3,\n1,2,3\n",
    "long-row-below-blank-lines.csv": b"a,b\n1,2\n\n\n1,2,3\n",
    "short-row.tsv": b"a\tb\tc\n1\t2\t3\n1\t2\n",
    "short-row-of-semicolons.csv": b"a;b;c\n1;2;3\n1;2\n",
    "no-name-for-numbers.csv": b"a,b\n5.1,1,2\n4.9,3,4\n",
    "no-name-for-words-that-repeat.csv": b"a,b\nx,1,2\nx,3,4\n",
    "two-names-too-few.csv": b"a,b\n1,2,3,4\n5,6,7,8\n",
    "one-name-too-many.csv": b"a,b,c\n1,2\n3,4\n",
    "open-quotation.csv": b'a,b\n1,"2\n3,4\n',
    "text-after-quotation.csv": b'a,b\n1,"2"x\n3,4\n',
    "same-name.csv": b"a,b,a\n1,2,3\n",
    "same-name-but-blanks.csv": b"a b,c,a  b\n1,2,3\n",
    "same-name-but-a-line-break.csv": b'a b,c,"a\nb"\n1,2,3\n',
    "same-look.csv": "é,e\u0301\n1,2\n".encode(),
    "same-look-with-a-joiner.csv": "ab,a\u200db\n1,2\n".encode(),
    "no-gzip.csv.gz": b"no gzip at all",
    "cut.csv.gz": gzip.compress(_ROWS * 100, mtime=0)[:30],
    "no-bzip2.csv.bz2": b"no bzip2 at all",
    "no-xz.csv.xz": b"no xz at all",
    "a-folder.csv": None,
}


def refusal_of(name):
    """What is said of a file in the folder where we are."""
    path = Path(name)
    if FILES[name] is None:
        path.mkdir(exist_ok=True)
    else:
        path.write_bytes(FILES[name])
    try:
        read_table(path)
    except TableError as error:
        return str(error)
    return None
