# A first program with the client that openapi-python-client generates: hello.py URL KEY TOKEN
import io
import json
import sys

from inlay_client import AuthenticatedClient
from inlay_client.api.authorization import authorization
from inlay_client.api.data import data, data_file
from inlay_client.api.securable import securable, securable_delete, securable_patch
from inlay_client.models import (
    Aggregation,
    AggregationType,
    AuthorizationCreate,
    AuthorizationCreateRequest,
    AuthorizationType,
    DataCreate,
    DataCreateOptionsType0,
    DataCreateRequest,
    DataFileFormat,
    DataGetRequest,
    DataQuery,
    DataType,
    Dimension,
    EmbedAccess,
    EmbedAccessDashboardsItem,
    EmbedAccessDashboardsItemRights,
    EmbedAccessDatasetsItem,
    EmbedAccessDatasetsItemRights,
    Include,
    LanguageMap,
    Measure,
    SecurableCreate,
    SecurableCreateRequest,
    SecurableDeleteBody,
    SecurableFind,
    SecurableSearchRequest,
    SecurableSearchRequestAction,
    SecurableType,
    SecurableUpdate,
    SecurableUpdateRequest,
    Where,
)
from inlay_client.types import File

url, key, token = sys.argv[1:4]
client = AuthenticatedClient(base_url=url, token=f"{key}:{token}")


def send(operation, body, **parameters):
    answer = operation.sync_detailed(client=client, body=body, **parameters)
    if answer.status_code != 200:
        raise SystemExit(f"{answer.status_code}: {answer.content.decode()}")
    return answer.parsed


def name(text):
    return LanguageMap.from_dict({"en": text})


rows = [["flavour", "weight"], ["sweet", 126.02], ["sour", 352.34]]
options = DataCreateOptionsType0.from_dict({"name": "Hello", "header": True})
push = DataCreate(type_=DataType.CREATE, data=rows, options=options)
(dataset,) = send(data, DataCreateRequest(properties=push)).rows

find = SecurableFind(where=Where.from_dict({"id": str(dataset.id)}), include=[Include(model="Columns")])
search = SecurableSearchRequest(action=SecurableSearchRequestAction.SEARCH, find=find)
(found,) = send(securable, search).rows
column = {one.source_name: str(one.id) for one in found.columns}

query = DataQuery(
    dimensions=[Dimension(dataset_id=dataset.id, column_id=column["flavour"])],
    measures=[
        Measure(
            dataset_id=dataset.id,
            column_id=column["weight"],
            aggregation=Aggregation(type_=AggregationType.SUM),
        )
    ],
)
result = send(data, DataGetRequest(action="get", find=query))

file = File(payload=io.BytesIO(b"flavour,weight\nsweet,1\nsour,2\nsalty,3\n"))
(uploaded,) = send(data_file, file, format_=DataFileFormat.CSV, name="Upload", header=True).rows

made = SecurableCreate(type_=SecurableType.DASHBOARD, name=name("Hello"))
dashboard = send(securable, SecurableCreateRequest(properties=made))
renamed = send(securable_patch, SecurableUpdateRequest(id=dashboard.id, properties=SecurableUpdate(name=name("Hi"))))

access = EmbedAccess(
    dashboards=[EmbedAccessDashboardsItem(id=dashboard.id, rights=EmbedAccessDashboardsItemRights.USE)],
    datasets=[EmbedAccessDatasetsItem(id=dataset.id, rights=EmbedAccessDatasetsItemRights.USE)],
)
embed = AuthorizationCreate(type_=AuthorizationType.EMBED, expiry="24 hours", username="python", access=access)
credential = send(authorization, AuthorizationCreateRequest(properties=embed))

deleted = [send(securable_delete, SecurableDeleteBody(id=one.id)).code for one in (dashboard, dataset, uploaded)]
print(
    json.dumps(
        {
            "rows": len(result.data),
            "total": sum(row[1] for row in result.data),
            "uploaded": uploaded.rows,
            "name": renamed.name["en"],
            "token": len(credential.token) > 20,
            "deleted": deleted,
        }
    )
)
