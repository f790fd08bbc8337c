import lodash from 'lodash';

type Values = Readonly<Record<string, unknown>>;

/** With a rules document, a FILTER rule is the wish to remove records, and a document without one has no such wish. */
const OF_RULES_DOCUMENTS: Values = { filter: true, filterDefault: 'allow' };

/** The values, with the defaults that depend on the protocol of the PDP. */
export function withProtocolDefaults(values: Values): Values {
  const { pdpProtocol } = values;
  return pdpProtocol === 'opa' || pdpProtocol === 'authzen'
    ? lodash.defaults({ ...values }, OF_RULES_DOCUMENTS)
    : values;
}
