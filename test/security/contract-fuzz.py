"""What Schemathesis needs to know of the service beyond its document."""

import os

import schemathesis
from hypothesis import strategies

known = os.environ["INLAY_FUZZ_IDS"].split()
schemathesis.openapi.format("uuid", strategies.sampled_from(known) | strategies.uuids().map(str))


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Every request has its credentials in a header; others in the body would only be a conflict."""
    for path in raw_schema["paths"].values():
        content = path.get("post", {}).get("requestBody", {}).get("content", {})
        bodies = content.get("application/json", {}).get("schema", {}).get("anyOf", [])
        bodies[:] = [body for body in bodies if not body["$ref"].endswith("/RequestWithCredentials")]


@schemathesis.hook
def before_call(context, case, kwargs):
    """An explicit action decides whatever the method is: a method that an address does not have is sent without one."""
    declared = {method.upper() for method in case.operation.schema[case.path]}
    if case.method.upper() not in declared and isinstance(case.body, dict):
        case.body.pop("action", None)
