/** A name that means nothing else in the paths of policies, which may begin with it: such as `result`, `@graph` or `hydra:member`. Go reads the expression as well, for the chart. */
export const ROOT_WORD = /^\$?[^\s.*?#[\]\\'"`/$](?:[^.*?#[\]\\'"`]*[^\s.*?#[\]\\'"`])?$/;
