package filters_test

import data.filters

support := {"type": "Support", "id": "joe", "properties": {"tenant": "acme"}}

test_support_does_not_see_closed_tickets if {
	not filters.include with input as {"subject": support, "tickets": {"tenant": "acme", "state": "closed"}}
}

test_support_does_not_see_tickets_without_a_state if {
	not filters.include with input as {"subject": support, "tickets": {"tenant": "acme"}}
}

test_support_sees_open_tickets if {
	filters.include with input as {"subject": support, "tickets": {"tenant": "acme", "state": "open"}}
}

test_nobody_sees_tickets_of_others if {
	not filters.include with input as {"subject": support, "tickets": {"tenant": "other", "state": "open"}}
}

test_support_sees_addresses if {
	masks := filters.masks with input as {"subject": support}
	masks.tickets.email == {}
}

test_others_do_not_see_addresses if {
	masks := filters.masks with input as {"subject": {"type": "User"}}
	masks.tickets.email.replace.value == "<hidden>"
}
