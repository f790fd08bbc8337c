# What may be seen of customers: the rules document that the service enforces. See docs/opa.md.
package masking

# The service asks for this document: pdpUrl is http://opa:8181/v1/data/masking/decision.
decision := {"allow": false, "reason": "Outside of working hours."} if {
	input.context.night
} else := {"rules": rules}

is_supervisor if input.subject.type == "Supervisor"

# A set comes out sorted, so rules that may meet at one property have a priority.
rules contains rule if {
	not is_supervisor
	rule := {"policy": "Mask SSNs", "properties": ["ssn"], "action": "last(4)", "priority": 10}
}

rules contains rule if {
	not is_supervisor
	rule := {
		"policy": "Hide balances of others",
		"properties": ["balance"],
		"action": "MASK",
		"when": {"attribute": "owner", "operator": "NOTEQUALS", "values": [input.subject.id]},
	}
}

rules contains rule if {
	rule := {
		"policy": "Legal hold",
		"effect": "denied",
		"action": "FILTER",
		"when": {"attribute": "legalHold", "operator": "EQUALS", "type": "BOOLEAN", "values": [true]},
	}
}
