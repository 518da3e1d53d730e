"""What Schemathesis needs to know of the service beyond its document."""

import json
import os

import schemathesis
from hypothesis import strategies

known = os.environ["INLAY_FUZZ_IDS"].split()
# By path, what stands in its examples for a record, and the record that is there.
seeds = json.loads(os.environ["INLAY_FUZZ_SEEDS"])
schemathesis.openapi.format("uuid", strategies.sampled_from(known) | strategies.uuids().map(str))


def seeded(path, example):
    """An example with records that are there."""
    text = json.dumps(example)
    for placeholder, record in seeds.get(path, {}).items():
        text = text.replace(placeholder, record)
    return json.loads(text)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Every request has its credentials in a header; others in the body would only be a conflict."""
    for path in raw_schema["paths"].values():
        content = path.get("post", {}).get("requestBody", {}).get("content", {})
        bodies = content.get("application/json", {}).get("schema", {}).get("anyOf", [])
        bodies[:] = [body for body in bodies if not body["$ref"].endswith("/RequestWithCredentials")]
    for name, path in raw_schema["paths"].items():
        for method in ("post", "patch", "delete"):
            content = path.get(method, {}).get("requestBody", {}).get("content", {}).get("application/json", {})
            for example in content.get("examples", {}).values():
                example["value"] = seeded(name.rsplit("/", 1)[-1], example["value"])


@schemathesis.hook
def before_call(context, case, kwargs):
    """An explicit action decides whatever the method is: a method that an address does not have is sent without one."""
    declared = {method.upper() for method in case.operation.schema[case.path]}
    if case.method.upper() not in declared and isinstance(case.body, dict):
        case.body.pop("action", None)
