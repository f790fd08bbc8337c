package masking_test

import data.masking

agent := {"type": "Agent", "id": "jane"}

names(decision) := {rule.policy | some rule in decision.rules}

test_an_agent_sees_the_end_of_ssns if {
	decision := masking.decision with input as {"subject": agent, "context": {}}
	names(decision) == {"Mask SSNs", "Hide balances of others", "Legal hold"}
}

test_a_supervisor_sees_everything_that_is_not_on_hold if {
	decision := masking.decision with input as {"subject": {"type": "Supervisor", "id": "sue"}, "context": {}}
	names(decision) == {"Legal hold"}
}

test_balances_are_compared_with_who_asks if {
	decision := masking.decision with input as {"subject": agent, "context": {}}
	some rule in decision.rules
	rule.policy == "Hide balances of others"
	rule.when.values == ["jane"]
}

test_nobody_sees_anything_at_night if {
	decision := masking.decision with input as {"subject": agent, "context": {"night": true}}
	decision.allow == false
}
