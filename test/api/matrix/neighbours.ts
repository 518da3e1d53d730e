/** The resources next to those. How to read it: `operations.ts`. */
export const neighbours = `
# columns                          memb edit ownr admn | read user modi enti | grup coll | view dsgn | ownB

# Organization, made and deleted by the operator only
organization create same         |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
organization delete same         |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
organization delete other        |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
# Organization, seen by its members
organization get same            |  see  see  see  see |  see  see  see  see |  see  see |  hid  hid |  see
organization get other           |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  hid  hid |  nil
# Organization update, Organization Owner
organization update same         |  403  403  200  200 |  403  403  403  403 |  403  403 |  404  404 |  200
organization update other        |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# User create, Organization Owner, into its own organization; other: naming the other organization
user create same                 |  403  403  200  200 |  403  403  403  403 |  403  403 |  403  403 |  200
user create other                |   no   no  400  400 |   no   no   no   no |   no   no |   no   no |  400
# User get, same organization and suborganization (the embed tokens have another); own is oneself
user get own                     |  see  see  see  see |  see  see  see  see |  see  see |    -    - |  see
user get same                    |  see  see  see  see |  see  see  see  see |  see  see |  hid  hid |  see
user get other                   |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  hid  hid |  nil
# User update, oneself or Organization Owner
user update own                  |  200  200  200  200 |  200  200  200  200 |  200  200 |    -    - |  200
user update same                 |  403  403  200  200 |  403  403  403  403 |  403  403 |  404  404 |  200
user update other                |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
# User delete, Organization Owner
user delete own                  |  403  403    -    - |  403  403  403  403 |  403  403 |    -    - |    -
user delete same                 |  403  403  200  200 |  403  403  403  403 |  403  403 |  404  404 |  200
user delete other                |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# Group create, Organization Member, who is its owner
group create same                |  200  200  200  200 |  200  200  200  200 |  200  200 |  403  403 |  200
# Group get, members of the organization (of the same suborganization)
group get own                    |  see  see  see  see |  see  see  see  see |  see  see |    -    - |  see
group get same                   |  see  see  see  see |  see  see  see  see |  see  see |  hid  hid |  see
group get other                  |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  hid  hid |  nil
# Group update and delete, its owner
group update own                 |  200  200  200  200 |  200  200  200  200 |  200  200 |    -    - |  200
group update same                |  403  403  403  403 |  403  403  403  200 |  403  403 |  404  404 |  403
group update other               |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
group delete own                 |  200  200  200  200 |  200  200  200  200 |  200  200 |    -    - |  200
group delete same                |  403  403  403  403 |  403  403  403  200 |  403  403 |  404  404 |  403
group delete other               |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# An api authorization is made by a login or api token of a user
authorization create same        |  200  200  200  200 |  200  200  200  200 |  200  200 |  403  403 |  200
# Authorization get and delete, one's own, and an Organization Owner those of the organization
authorization get own            |  see  see  see  see |  see  see  see  see |  see  see |    -    - |  see
authorization get same           |  nil  nil  see  see |  nil  nil  nil  nil |  nil  nil |  hid  hid |  see
authorization get other          |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  hid  hid |  nil
authorization delete own         |  200  200  200  200 |  200  200  200  200 |  200  200 |    -    - |  200
authorization delete same        |  404  404  200  200 |  404  404  404  404 |  404  404 |  404  404 |  200
authorization delete other       |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
# Authorization update, never
authorization update own         |   no   no   no   no |   no   no   no   no |   no   no |    -    - |   no
authorization update same        |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
authorization update other       |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
# An embed token is made by an Organization Owner and never grants more than its issuer holds (400)
embed create own                 |    -  403  200  200 |    -    -    -    - |    -    - |    -    - |  200
embed create same                |   no   no  400  200 |  403  403  403  403 |  403  403 |  403  403 |  400
embed create other               |   no   no  400  400 |   no   no   no   no |   no   no |   no   no |  400

# Column create, modify on the dataset; a dataset that the caller cannot see is a bad reference
column create own                |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
column create same               |  400  400  403  200 |  403  403  200  200 |  200  403 |  403  200 |  403
column create other              |  400  400  400  400 |  400  400  400  400 |  400  400 |  400  400 |  400
# Column get, read on the dataset
column get own                   |    -  see  see  see |    -    -    -    - |    -    - |    -    - |  see
column get same                  |  nil  nil  nil  see |  see  see  see  see |  see  see |  see  see |  nil
column get other                 |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  nil  nil |  nil
# Column update and delete, modify on the dataset
column update own                |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
column update same               |  404  404  404  200 |  403  403  200  200 |  200  403 |  403  200 |  404
column update other              |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
column delete own                |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
column delete same               |  404  404  404  200 |  403  403  200  200 |  200  403 |  403  200 |  404
column delete other              |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
# Formula, the same as column
formula create own               |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
formula create same              |  400  400  403  200 |  403  403  200  200 |  200  403 |  403  200 |  403
formula create other             |  400  400  400  400 |  400  400  400  400 |  400  400 |  400  400 |  400
formula get own                  |    -  see  see  see |    -    -    -    - |    -    - |    -    - |  see
formula get same                 |  nil  nil  nil  see |  see  see  see  see |  see  see |  see  see |  nil
formula get other                |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  nil  nil |  nil
formula update same              |  404  404  404  200 |  403  403  200  200 |  200  403 |  403  200 |  404
formula update other             |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
formula delete same              |  404  404  404  200 |  403  403  200  200 |  200  403 |  403  200 |  404
formula delete other             |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
# Hierarchylevel, the same as column
hierarchylevel create own        |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
hierarchylevel create same       |  400  400  400  200 |  403  403  200  200 |  200  403 |  403  200 |  400
hierarchylevel create other      |  400  400  400  400 |  400  400  400  400 |  400  400 |  400  400 |  400
hierarchylevel get own           |    -  see  see  see |    -    -    -    - |    -    - |    -    - |  see
hierarchylevel get same          |  nil  nil  nil  see |  see  see  see  see |  see  see |  see  see |  nil
hierarchylevel get other         |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  nil  nil |  nil
hierarchylevel update same       |  404  404  404  200 |  403  403  200  200 |  200  403 |  403  200 |  404
hierarchylevel update other      |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
hierarchylevel delete same       |  404  404  404  200 |  403  403  200  200 |  200  403 |  403  200 |  404
hierarchylevel delete other      |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# Tag create and get, Organization Member
tag create same                  |  200  200  200  200 |  200  200  200  200 |  200  200 |  403  403 |  200
tag get own                      |  see  see  see  see |  see  see  see  see |  see  see |    -    - |  see
tag get same                     |  see  see  see  see |  see  see  see  see |  see  see |  403  403 |  see
tag get other                    |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  403  403 |  nil
# Tag update and delete, Organization Editor
tag update own                   |  403  200  200  200 |  403  403  403  403 |  403  403 |    -    - |  200
tag update same                  |  403  200  200  200 |  403  403  403  403 |  403  403 |  404  404 |  200
tag update other                 |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
tag delete own                   |  403  200  200  200 |  403  403  403  403 |  403  403 |    -    - |  200
tag delete same                  |  403  200  200  200 |  403  403  403  403 |  403  403 |  404  404 |  200
tag delete other                 |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# Collection create, Organization Editor
collection create same           |  403  200  200  200 |  403  403  403  403 |  403  403 |  403  403 |  200
# Collection get, read; admin holds securables, not collections
collection get own               |    -  see  see  see |    -    -    -    - |    -    - |    -    - |  see
collection get same              |  nil  nil  see  see |  see  see  see  see |  see  nil |  hid  hid |  see
collection get other             |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  hid  hid |  nil
# Collection update, modify
collection update own            |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
collection update same           |  404  404  403  403 |  403  403  200  200 |  200  404 |  404  404 |  403
collection update other          |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
# Collection delete, own
collection delete own            |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
collection delete same           |  404  404  403  403 |  403  403  403  200 |  403  404 |  404  404 |  403
collection delete other          |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# Share, Securable Owner in everything, which an embed viewer never is
share create own                 |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
share create same                |  400  400  403  403 |  403  403  403  200 |  403  403 |  403  403 |  403
share create other               |  400  400  400  400 |  400  400  400  400 |  400  400 |  400  400 |  400
share get own                    |    -  see  see  see |    -    -    -    - |    -    - |    -    - |  see
share get same                   |  nil  nil  nil  nil |  nil  nil  nil  see |  nil  nil |  hid  nil |  nil
share get other                  |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  hid  nil |  nil
share update own                 |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
share update same                |  404  404  404  404 |  404  404  404  200 |  404  404 |  404  404 |  404
share update other               |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
share delete own                 |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
share delete same                |  404  404  404  404 |  404  404  404  200 |  404  404 |  404  404 |  404
share delete other               |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# Integration create, update and delete, Organization Owner
integration create same          |  403  403  200  200 |  403  403  403  403 |  403  403 |  403  403 |  200
integration update own           |    -    -  200  200 |    -    -    -    - |    -    - |    -    - |  200
integration update same          |  403  403  200  200 |  403  403  403  403 |  403  403 |  404  404 |  200
integration update other         |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
integration delete own           |    -    -  200  200 |    -    -    -    - |    -    - |    -    - |  200
integration delete same          |  403  403  200  200 |  403  403  403  403 |  403  403 |  404  404 |  200
integration delete other         |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
# Integration get, Organization Member
integration get own              |    -    -  see  see |    -    -    -    - |    -    - |    -    - |  see
integration get same             |  see  see  see  see |  see  see  see  see |  see  see |  403  403 |  see
integration get other            |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  403  403 |  nil

# Embedfiltergroup, Organization Owner in everything
embedfiltergroup create same     |  403  403  200  200 |  403  403  403  403 |  403  403 |  403  403 |  200
embedfiltergroup get own         |    -    -  see  see |    -    -    -    - |    -    - |    -    - |  see
embedfiltergroup get same        |  403  403  see  see |  403  403  403  403 |  403  403 |  403  403 |  see
embedfiltergroup get other       |  403  403  nil  nil |  403  403  403  403 |  403  403 |  403  403 |  nil
embedfiltergroup update own      |    -    -  200  200 |    -    -    -    - |    -    - |    -    - |  200
embedfiltergroup update same     |  404  404  200  200 |  404  404  404  404 |  404  404 |  404  404 |  200
embedfiltergroup update other    |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
embedfiltergroup delete own      |    -    -  200  200 |    -    -    -    - |    -    - |    -    - |  200
embedfiltergroup delete same     |  404  404  200  200 |  404  404  404  404 |  404  404 |  404  404 |  200
embedfiltergroup delete other    |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# Schedule, Securable modify in everything
schedule create own              |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
schedule create same             |  400  400  403  200 |  403  403  200  200 |  200  403 |  403  200 |  403
schedule create other            |  400  400  400  400 |  400  400  400  400 |  400  400 |  400  400 |  400
schedule get own                 |    -  see  see  see |    -    -    -    - |    -    - |    -    - |  see
schedule get same                |  nil  nil  nil  see |  nil  nil  see  see |  see  nil |  hid  see |  nil
schedule get other               |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  hid  nil |  nil
schedule update own              |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
schedule update same             |  404  404  404  200 |  404  404  200  200 |  200  404 |  404  200 |  404
schedule update other            |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
schedule delete own              |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
schedule delete same             |  404  404  404  200 |  404  404  200  200 |  200  404 |  404  200 |  404
schedule delete other            |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# Dashboardversion create, a draft of one's own; modify on the dashboard
dashboardversion create same     |  400  400  403  200 |  403  403  200  200 |  200  403 |  403  200 |  403
dashboardversion create other    |  400  400  400  400 |  400  400  400  400 |  400  400 |  400  400 |  400
# Published versions are never deleted
dashboardversion delete same     |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
dashboardversion delete other    |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
# Dashboardversion get, modify on the dashboard
dashboardversion get own         |    -  see  see  see |    -    -    -    - |    -    - |    -    - |  see
dashboardversion get same        |  nil  nil  nil  see |  nil  nil  see  see |  see  nil |  403  see |  nil
dashboardversion get other       |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  403  nil |  nil
# Dashboardversion update, modify on the dashboard
dashboardversion update own      |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
dashboardversion update same     |  404  404  404  200 |  404  404  200  200 |  200  404 |  404  200 |  404
dashboardversion update other    |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# Fonts of exports, beside themes: create and search, as of those
font create same                 |  403  200  200  200 |  403  403  403  403 |  403  403 |  403  403 |  200
font get own                     |    -  see  see  see |    -    -    -    - |    -    - |    -    - |  see
font get same                    |  see  see  see  see |  see  see  see  see |  see  see |  403  403 |  see
font get other                   |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  403  403 |  nil
# Fonts: update, Organization Editor; delete, Organization Owner
font update own                  |    -  200  200  200 |    -    -    -    - |    -    - |    -    - |  200
font update same                 |  403  200  200  200 |  403  403  403  403 |  403  403 |  404  404 |  200
font update other                |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
font delete own                  |    -  403  200  200 |    -    -    -    - |    -    - |    -    - |  200
font delete same                 |  403  403  200  200 |  403  403  403  403 |  403  403 |  404  404 |  200
font delete other                |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# An image, the target of Thumbnail: create, Logged-in User; get, Logged-in User of the organization
image create same                |  200  200  200  200 |  200  200  200  200 |  200  200 |  403  403 |  200
image get own                    |  see  see  see  see |  see  see  see  see |  see  see |    -    - |  see
image get same                   |  see  see  see  see |  see  see  see  see |  see  see |  hid  hid |  see
image get other                  |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  hid  hid |  nil
# An image, the target of Thumbnail: update and delete, its creator or an Organization Owner
image update own                 |  200  200  200  200 |  200  200  200  200 |  200  200 |    -    - |  200
image update same                |  403  403  200  200 |  403  403  403  403 |  403  403 |  404  404 |  200
image update other               |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
image delete own                 |  200  200  200  200 |  200  200  200  200 |  200  200 |    -    - |  200
image delete same                |  403  403  200  200 |  403  403  403  403 |  403  403 |  404  404 |  200
image delete other               |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404

# Guide on single sign-on, People who are there already: identity create, Organization Owner, for a person of theirs; embed tokens of another suborganization see no people
identity create same             |  403  403  200  200 |  403  403  403  403 |  403  403 |  400  400 |  200
identity create other            |   no   no  400  400 |   no   no   no   no |   no   no |   no   no |  400
# Guide on single sign-on: identity get and delete, Organization Owner; who may not see it gets 404
identity get same                |  403  403  see  see |  403  403  403  403 |  403  403 |  403  403 |  see
identity get other               |  403  403  nil  nil |  403  403  403  403 |  403  403 |  403  403 |  nil
identity delete same             |  404  404  200  200 |  404  404  404  404 |  404  404 |  404  404 |  200
identity delete other            |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
# Who somebody is at the provider is never changed
identity update same             |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
identity update other            |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no

# Guide on AI charts, What is kept: what was sent is there for Organization Owners to read
airequest get same               |  403  403  see  see |  403  403  403  403 |  403  403 |  403  403 |  see
airequest get other              |  403  403  nil  nil |  403  403  403  403 |  403  403 |  403  403 |  nil
# An audit record is made by the service and stays as it is, for everybody
airequest create same            |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
airequest update same            |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
airequest update other           |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
airequest delete same            |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
airequest delete other           |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no

# Task: get and update, its requester and Organization Owners; made by other requests, deleted by the service
task get own                     |  see  see  see  see |  see  see  see  see |  see  see |    -    - |  see
task get same                    |  nil  nil  see  see |  nil  nil  nil  nil |  nil  nil |  403  403 |  see
task get other                   |  nil  nil  nil  nil |  nil  nil  nil  nil |  nil  nil |  403  403 |  nil
task create same                 |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
task update own                  |  200  200  200  200 |  200  200  200  200 |  200  200 |    -    - |  200
task update same                 |  404  404  200  200 |  404  404  404  404 |  404  404 |  404  404 |  200
task update other                |  404  404  404  404 |  404  404  404  404 |  404  404 |  404  404 |  404
task delete own                  |   no   no   no   no |   no   no   no   no |   no   no |    -    - |   no
task delete same                 |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
task delete other                |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no

# Locale and country, read-only for any user
locale get same                  |  see  see  see  see |  see  see  see  see |  see  see |    -    - |  see
locale create same               |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
locale update same               |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
locale delete same               |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
country get same                 |  see  see  see  see |  see  see  see  see |  see  see |    -    - |  see
country create same              |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
country update same              |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
country delete same              |   no   no   no   no |   no   no   no   no |   no   no |   no   no |   no
`;
