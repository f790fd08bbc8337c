# The same idea with OPA's compile API: a filter on records, and masks. See docs/opa.md.
# METADATA
# scope: package
# compile:
#   unknowns: [input.tickets]
#   mask_rule: data.filters.masks
package filters

tenancy if input.tickets.tenant == input.subject.properties.tenant

# METADATA
# scope: document
# description: A user sees the tickets of their tenant, and a support engineer only those that are not closed.
include if {
	tenancy
	input.subject.type != "Support"
}

include if {
	tenancy
	input.subject.type == "Support"
	input.tickets.state != "closed"
}

default masks.tickets.email := {"replace": {"value": "<hidden>"}}

masks.tickets.email := {} if input.subject.type == "Support"

default masks.tickets.salary := {"replace": {"value": null}}
