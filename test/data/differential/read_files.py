"""Generates files of one format and reads each of them with Python: read_files.py FORMAT COUNT SEED.

Prints a JSON object a line: the bytes of a file in base64, its names and rows as Python reads them (null where Python refuses it),
whether the file is well-formed, so that every reader must take it, and what Python has to know of it.
With `cut` in place of COUNT, reads such lines from the standard input and prints them for each file cut at any byte.
"""

import base64
import csv
import datetime
import decimal
import io
import json
import random
import string
import sys
import zipfile

kind, count, seed = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "0"
draw = random.Random(f"{kind} {seed}")
csv.field_size_limit(1 << 30)

words = ["", "a", "Ada", "x y", "é", "東京", "😀", "ß", "1", "-2.5", "0012", "1e3", "true", "null", "2026-01-31", "O'Hara", "a\u00a0b", "=1+1", "#N/A", "\\", "\\n", "'"]
specials = ['"', '""', "\n", "\r\n", "\r", ",", ";", "\t", "|", ' "', '" ', "\n\n", ' ']


def word():
    return draw.choice(words) if draw.random() < 0.8 else "".join(draw.choices(string.ascii_letters + "äöü -_", k=draw.randint(1, 30)))


# CSV


def csv_cell(delimiter, end, is_first, flavour):
    text = word()
    if not is_first and draw.random() < 0.25:
        at = draw.randint(0, len(text))
        text = text[:at] + draw.choice(specials) + text[at:]
    needs = any(sign in text for sign in '",;\t|\r\n') or text != text.strip(" ")
    if needs or draw.random() < 0.3:
        before, after = "", ""
        if flavour == "spaced":
            before, after = draw.choice(["", " ", "  "]), draw.choice(["", " "])
        return before + '"' + text.replace('"', '""') + '"' + after
    return text


def csv_text():
    delimiter = draw.choice([",", ";", "\t", "|"])
    flavour = draw.choice(["plain", "plain", "spaced", "mixed", "sep"])
    end = draw.choice(["\n", "\r\n", "\r"])
    width, rows = draw.randint(2, 6), draw.randint(0, 12)
    names = [f"c{at}" for at in range(width)]
    if draw.random() < 0.3:
        names[draw.randrange(width)] = '"two' + draw.choice(["\n", "\r\n", "\r"]) + 'lines"'
    lines = [delimiter.join(names)]
    for _ in range(rows):
        lines.append(delimiter.join(csv_cell(delimiter, end, False, flavour) for _ in range(width)))
        if draw.random() < 0.05:
            lines.append("")
    ends = [draw.choice(["\n", "\r\n", "\r"]) if flavour == "mixed" else end for _ in lines]
    # A carriage return and a line feed behind it would be one end.
    text = "".join(line + one for line, one in zip(lines, ends))
    if draw.random() < 0.3:
        text = text[: -len(ends[-1])]
    if flavour == "sep":
        text = f"sep={delimiter}{end}" + text
    return text, delimiter, flavour


encodings = ["utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16"]


def csv_rows(data, how):
    delimiter, flavour, encoding = how["delimiter"], how["flavour"], how["encoding"]
    try:
        text = data.decode("utf-8-sig" if encoding.startswith("utf-8") else encoding)
        mark = f"sep={delimiter}"
        if flavour == "sep" and text.startswith(mark) and text[len(mark) : len(mark) + 1] in ("", "\r", "\n"):
            text = text[len(mark) :].lstrip("\r\n")
        # Python refuses spaces behind a closing quote where it is strict, and takes quotes that are never closed where it is not.
        is_spaced = flavour == "spaced"
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=not is_spaced, skipinitialspace=is_spaced)
        rows = [row for row in reader if row]
    except (csv.Error, UnicodeError):
        return None
    if not rows:
        return None
    return [[name.strip() or f"column_{at + 1}" for at, name in enumerate(rows[0])]] + rows[1:]


def csv_case():
    text, delimiter, flavour = csv_text()
    encoding = draw.choice(encodings)
    return text.encode(encoding), {"delimiter": delimiter, "flavour": flavour, "encoding": encoding}, True


# NDJSON


def json_value(depth=0):
    one = draw.random()
    if one < 0.45 or depth > 2:
        text = word()
        return text + draw.choice(['"', "\n", "\\", "\u2028", ""]) if one < 0.1 else text
    if one < 0.65:
        return draw.choice([0, 1, -5, 12345678901234567890, 2**53 + 1, 1.5, -0.25, 1e21, 3.141592653589793])
    if one < 0.75:
        return draw.choice([True, False])
    if one < 0.85:
        return None
    if one < 0.93:
        return [json_value(depth + 1) for _ in range(draw.randint(0, 3))]
    return {f"k{at}": json_value(depth + 1) for at in range(draw.randint(0, 3))}


def ndjson_case():
    names = [f"c{at}" for at in range(draw.randint(1, 5))]
    objects = []
    for _ in range(draw.randint(1, 12)):
        objects.append({name: json_value() for name in names if draw.random() < 0.9})
    end = draw.choice(["\n", "\r\n"])
    lines = [json.dumps(one, ensure_ascii=draw.random() < 0.5) for one in objects]
    text = end.join(lines) + draw.choice(["", end, end + end])
    if draw.random() < 0.2:
        text = text.replace(end, end + draw.choice([end, "  " + end]), 1)
    return text.encode("utf-8"), {}, any(objects)


def ndjson_rows(data, _how):
    try:
        rows = [json.loads(line) for line in data.decode("utf-8").split("\n") if line.strip(" \t\r") != ""]
    except (ValueError, UnicodeError):
        return None
    if not all(isinstance(one, dict) for one in rows) or not any(rows):
        return None
    found = []
    for row in rows:
        found.extend(name for name in row if name not in found)
    return [found] + [[row.get(name) for name in found] for row in rows]


# XLSX

import openpyxl
import openpyxl.chart
import openpyxl.utils.datetime
import openpyxl.utils.escape


def sheet_value():
    one = draw.random()
    if one < 0.35:
        return word() or None
    if one < 0.6:
        return draw.choice([0, 1, -7, 12345678, 1.5, -0.125, 1e-7, 0.1, 1.1, 123456789.125])
    if one < 0.7:
        return draw.choice([True, False])
    if one < 0.85:
        day = datetime.datetime(draw.randint(1905, 2090), draw.randint(1, 12), draw.randint(1, 28))
        return day if draw.random() < 0.5 else day + datetime.timedelta(seconds=draw.randint(1, 86399))
    if one < 0.9:
        return draw.choice(["_x000D_ x", "a_x0041_", "_x005F_", "<&>", "line\nline"])
    return None


def by_openpyxl():
    book = openpyxl.Workbook()
    sheet = book.active
    if draw.random() < 0.4:
        book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    width = draw.randint(1, 5)
    sheet.append([f"c{at}" for at in range(width)])
    for _ in range(draw.randint(0, 8)):
        sheet.append([sheet_value() for _ in range(width)])
    if draw.random() < 0.2:
        book.create_chartsheet("Chart", 0).add_chart(openpyxl.chart.BarChart())
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def by_hand():
    """Small workbooks, with prefixes, texts in each of their places, rows and cells without places, errors and empty rows."""
    p = draw.choice(["", "x:"])
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    xmlns = f'xmlns{":x" if p else ""}="{main}"'
    is_1904 = draw.choice(["", ' date1904="1"', ' date1904="true"', ' date1904="0"', ' date1904="false"'])
    extension = f'<{p}extLst><{p}ext xmlns:x14="urn:x14" uri="u"><x14:workbookPr defaultImageDpi="32767"/></{p}ext></{p}extLst>' if draw.random() < 0.5 else ""
    shared, rows, width = [], [], draw.randint(1, 4)

    def text(value):
        return value.replace("&", "&amp;").replace("<", "&lt;")

    def cell(place, value):
        r = f' r="{place}"'
        one = draw.random()
        if value is None:
            return f'<{p}c{r}/>' if one < 0.3 else f'<{p}c{r} s="1"><{p}v/></{p}c>' if one < 0.5 else f'<{p}c{r} t="e"><{p}v>#N/A</{p}v></{p}c>'
        if isinstance(value, bool):
            return f'<{p}c{r} t="b"><{p}v>{int(value)}</{p}v></{p}c>'
        if isinstance(value, (int, float)):
            return f'<{p}c{r}{draw.choice(["", f" t=%sn%s" % (chr(34), chr(34))])}><{p}v>{value!r}</{p}v></{p}c>'
        if isinstance(value, datetime.datetime):
            serial = openpyxl.utils.datetime.to_excel(value, openpyxl.utils.datetime.CALENDAR_MAC_1904 if "1" == is_1904[-2:-1] or "true" in is_1904 else openpyxl.utils.datetime.CALENDAR_WINDOWS_1900)
            return f'<{p}c{r} s="1"><{p}v>{serial!r}</{p}v></{p}c>'
        if one < 0.5:
            shared.append(value)
            return f'<{p}c{r} t="s"><{p}v>{len(shared) - 1}</{p}v></{p}c>'
        if one < 0.7:
            return f'<{p}c{r} t="str"><{p}f>A1</{p}f><{p}v>{text(value)}</{p}v></{p}c>'
        return f'<{p}c{r} t="inlineStr"><{p}is><{p}t xml:space="preserve">{text(value)}</{p}t></{p}is></{p}c>'

    letters = "ABCD"
    for at in range(draw.randint(1, 7)):
        values = [f"c{index}" for index in range(width)] if at == 0 else [sheet_value() for _ in range(width)]
        cells = "".join(cell(f"{letters[index]}{at + 1}", value) for index, value in enumerate(values))
        rows.append(f'<{p}row r="{at + 1}">{cells}</{p}row>' if draw.random() < 0.95 or at == 0 else f'<{p}row r="{at + 1}"/>')
    parts = {
        "[Content_Types].xml": f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}"><Relationship Id="r1" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<{p}workbook {xmlns} xmlns:r="{office}"><{p}workbookPr{is_1904}/><{p}sheets><{p}sheet name="One" sheetId="1" r:id="r1"/></{p}sheets>{extension}</{p}workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}"><Relationship Id="r1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="{office}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="r3" Type="{office}/styles" Target="styles.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<{p}worksheet {xmlns}><{p}sheetData>{"".join(rows)}</{p}sheetData></{p}worksheet>',
        "xl/sharedStrings.xml": f'<{p}sst {xmlns}>' + "".join(f'<{p}si><{p}t xml:space="preserve">{text(one)}</{p}t></{p}si>' for one in shared) + f"</{p}sst>",
        "xl/styles.xml": f'<{p}styleSheet {xmlns}><{p}fonts count="1"><{p}font/></{p}fonts><{p}fills count="1"><{p}fill><{p}patternFill patternType="none"/></{p}fill></{p}fills><{p}borders count="1"><{p}border/></{p}borders><{p}cellStyleXfs count="1"><{p}xf/></{p}cellStyleXfs><{p}cellXfs count="2"><{p}xf numFmtId="0"/><{p}xf numFmtId="22"/></{p}cellXfs></{p}styleSheet>',
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name), content.encode("utf-8"), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def xlsx_rows(data, _how):
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    except Exception:
        return None
    rows = []
    for row in book.worksheets[0].iter_rows():
        cells = [None if cell.data_type == "e" else openpyxl.utils.escape.unescape(cell.value) if isinstance(cell.value, str) else cell.value for cell in row]
        # A row of errors is a row, one without any value is none.
        if any(cell.value is not None for cell in row):
            rows.append(cells)
    return rows or None


def xlsx_case():
    return by_openpyxl() if draw.random() < 0.15 else by_hand(), {}, True


# Parquet


def parquet_case():
    import pyarrow
    import pyarrow.parquet

    def some(values):
        return lambda: draw.choice(values) if draw.random() < 0.85 else None

    columns = {
        "text": (pyarrow.string(), some(words + ['"', "a\nb", "a,b"])),
        "whole": (draw.choice([pyarrow.int64(), pyarrow.int32(), pyarrow.int16()]), some([0, 1, -5, 32767])),
        "large": (pyarrow.int64(), some([2**53 + 1, -(2**63), 2**63 - 1])),
        "unsigned": (pyarrow.uint64(), some([0, 2**64 - 1])),
        "double": (pyarrow.float64(), some([0.1, -2.5, 1e300, 1e-300])),
        "single": (pyarrow.float32(), some([0.5, -2.25])),
        "truth": (pyarrow.bool_(), some([True, False])),
        "day": (pyarrow.date32(), some([datetime.date(2026, 1, 31), datetime.date(1900, 3, 1)])),
        "time": (pyarrow.timestamp(draw.choice(["ms", "us"])), some([datetime.datetime(2026, 1, 31, 9, 30, 1, 125000), datetime.datetime(1969, 12, 31, 23, 59, 59)])),
        "money": (pyarrow.decimal128(20, 4), some([decimal.Decimal("1.2500"), decimal.Decimal("-1234567890123456.0001")])),
        "list": (pyarrow.list_(pyarrow.int64()), some([[], [1, 2], [None]])),
        "item": (pyarrow.struct([("a", pyarrow.string()), ("b", pyarrow.list_(pyarrow.float64()))]), some([{"a": "x", "b": [1.5]}, {"a": None, "b": None}])),
    }
    names = draw.sample(sorted(columns), draw.randint(1, 5))
    length = draw.randint(0, 20)
    table = pyarrow.table({name: pyarrow.array([columns[name][1]() for _ in range(length)], columns[name][0]) for name in names})
    out = io.BytesIO()
    pyarrow.parquet.write_table(
        table,
        out,
        compression=draw.choice(["none", "snappy", "gzip", "zstd", "brotli", "lz4"]),
        use_dictionary=draw.choice([True, False]),
        data_page_version=draw.choice(["1.0", "2.0"]),
        row_group_size=draw.choice([1, 7, 1000]),
        write_statistics=draw.choice([True, False]),
        store_schema=False,
        version=draw.choice(["1.0", "2.4", "2.6"]),
    )
    return out.getvalue(), {}, True


def parquet_rows(data, _how):
    import pyarrow.parquet

    try:
        read = pyarrow.parquet.read_table(io.BytesIO(data))
    except Exception:
        return None
    found = read.to_pylist()
    return [list(read.column_names)] + [[row[name] for name in read.column_names] for row in found]


def plain(value):
    """A value as JSON has it: dates and decimals as texts, with a word for what they are."""
    if isinstance(value, (datetime.datetime, datetime.date)):
        return {"time": value.isoformat()}
    if isinstance(value, decimal.Decimal):
        return {"number": str(value)}
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53:
        return {"number": str(value)}
    if isinstance(value, (list, dict)):
        return {"json": json.dumps(value)}
    return value


makers = {"csv": csv_case, "ndjson": ndjson_case, "xlsx": xlsx_case, "parquet": parquet_case}
readers = {"csv": csv_rows, "ndjson": ndjson_rows, "xlsx": xlsx_rows, "parquet": parquet_rows}


def tell(data, how, is_valid):
    rows = readers[kind](data, how)
    case = {
        "format": kind,
        "bytes": base64.b64encode(data).decode("ascii"),
        "rows": None if rows is None else [[plain(value) for value in row] for row in rows],
        "valid": is_valid,
        "how": how,
    }
    print(json.dumps(case, ensure_ascii=False, separators=(",", ":")))


if count == "cut":
    for line in sys.stdin:
        given = json.loads(line)
        if given["how"].get("flavour") == "spaced":
            continue
        whole = base64.b64decode(given["bytes"])
        for length in range(1, len(whole)):
            tell(whole[:length], given["how"], False)
else:
    for _ in range(int(count)):
        data, how, is_valid = makers[kind]()
        # Python drops spaces that may come before a quote, also where the quote is cut off.
        is_cut = draw.random() < 0.2 and how.get("flavour") != "spaced"
        tell(data[: draw.randint(1, len(data))] if is_cut and data else data, how, is_valid and not is_cut)
