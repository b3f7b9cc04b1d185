import { ownValue } from '@bi-manager/contract/own-value'

/** Frequent mistakes of authors: DuckDB's message and its Portuguese translation. */
const known: [pattern: RegExp, sentence: (...found: string[]) => string][] = [
  [
    /^Binder Error: Referenced column "(.+?)" not found in FROM clause!(?:\s*Candidate bindings: (.+))?/,
    (column = '', similar) => `a coluna ${column} não existe${suggested(similar)}`,
  ],
  [
    /^Binder Error: Table "(.+?)" does not have a column named "(.+?)"(?:\s*Candidate bindings: :?(.+))?/,
    (table = '', column = '', similar) => `${table} não tem a coluna ${column}${suggested(similar)}`,
  ],
  [
    /^Catalog Error: (?:Scalar |Aggregate |Table )?Function with name "?(\S+?)"? does not exist!/,
    (name = '') => `a função ${name} não existe`,
  ],
  [
    /^Binder Error: No function matches the given name and argument types '(.+?)\((.*)\)'/,
    (name = '', types = '') => {
      const given = types.split(', ').map((type) => ownValue(typeNames, type) ?? type)
      const isText = types.split(', ').includes('VARCHAR')
      return `${name} não aceita ${given.join(' e ')}${isText ? asText : ''}`
    },
  ],
  [
    /^Binder Error: column "(.+?)" must appear in the GROUP BY clause/,
    (column = '') => `a coluna ${column} precisa estar no GROUP BY, ou dentro de uma função como sum ou max`,
  ],
  [/^Parser Error: syntax error at or near "(.*?)"/, (text = '') => `erro de sintaxe perto de ${text}`],
  [/^Parser Error: syntax error at end of input/, () => 'a consulta termina antes da hora'],
  [/^Parser Error: unterminated quoted string/, () => 'faltam as aspas que fecham um texto'],
  [/^IO Error: No files found/, () => 'o arquivo não está mais no serviço: envie-o de novo'],
  [/^IO Error/, () => 'um arquivo não pôde ser lido ou gravado'],
]

const typeNames: Record<string, string> = {
  VARCHAR: 'texto',
  STRING_LITERAL: 'texto fixo',
  INTEGER_LITERAL: 'número',
  BIGINT: 'número inteiro',
  INTEGER: 'número inteiro',
  DOUBLE: 'número',
  BOOLEAN: 'sim ou não',
  DATE: 'data',
  TIMESTAMP: 'data e hora',
}

const asText =
  '; uma coluna com um valor que não é número nem data é lida toda como texto: veja os avisos sobre o arquivo'

const suggested = (similar: string | undefined) =>
  similar ? ` (parecidas: ${similar.replaceAll('"', '').trim()})` : ''

/** Returns a Portuguese sentence for a usual mistake, otherwise DuckDB's first line. */
export const databaseSentence = ({ message }: Error): string => {
  for (const [pattern, sentence] of known) {
    const found = pattern.exec(message)
    if (found) return sentence(...found.slice(1))
  }
  const [line = ''] = message.split('\n')
  // The folders of the server are not for readers.
  return `o banco respondeu: ${line.replace(/(["'])\/[^"']*\/([^"'/]+)\1/g, '$1$2$1')}`
}
