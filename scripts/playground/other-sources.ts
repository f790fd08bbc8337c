import { NEW_WORK, type Example } from '../../playground/src/work.ts';

const ACCOUNTS = `[
  { "id": "c1", "name": "Ann Lee", "owner": "jane", "ssn": "123-45-6789", "balance": 1250.5 },
  { "id": "c2", "name": "Bob Ray", "owner": "max", "ssn": "987-65-4321", "balance": 90.25 }
]
`;

/** What OPA may answer. */
export const RULES_EXAMPLE: Example = {
  title: 'A rules document, as OPA answers it',
  note: 'The document says what holds for the user who asked; the service only applies it.',
  work: {
    ...NEW_WORK,
    source: 'rules',
    payload: ACCOUNTS,
    rules: `{
  "rules": [
    { "policy": "Mask SSNs", "properties": ["ssn"], "action": "last(4)", "priority": 10 },
    {
      "policy": "Balances are for owners",
      "properties": ["balance"],
      "action": "MASK",
      "when": { "attribute": "owner", "operator": "NOTEQUALS", "values": ["jane"] }
    }
  ]
}
`,
  },
};

/** What a PDP answers in the protocol of docs/pdp-contract.md. */
export const DECISION_EXAMPLE: Example = {
  title: 'A decision of a PDP',
  note: 'The answer of a PDP in the protocol of the specification: “access” has the masks, “privileges” the filters.',
  work: {
    ...NEW_WORK,
    source: 'decision',
    payload: ACCOUNTS,
    decision: `{
  "response": [
    {
      "access": [
        {
          "path": "ssn",
          "resourceType": "columns",
          "attributes": { "column": ["ssn"] },
          "actions": [{ "action": "MASK", "value": "10::last(4)" }],
          "policies": [{ "name": "Mask SSNs" }]
        }
      ],
      "privileges": {
        "allowed": [
          {
            "resourceType": "columns",
            "actions": [
              {
                "action": "FILTER",
                "asset-attributes-filter": { "attribute": "owner", "operator": "EQUALS", "values": ["jane"] },
                "policies": [{ "name": "Owners see their accounts" }]
              }
            ]
          }
        ]
      }
    }
  ]
}
`,
  },
};
