import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { databaseSentence } from './database-sentence.ts'

const database = await DuckDBInstance.create(':memory:')
const connection = await database.connect()
await connection.run(
  'CREATE TABLE Atendimentos ("Valor" VARCHAR, "Data" DATE, "Duração" INTEGER, "Unidade" VARCHAR)',
)

// These are DuckDB's own messages: the test fails when a new version changes them.
test.each<[sql: string, sentence: string]>([
  ['SELECT sum(Valr) FROM Atendimentos', 'a coluna Valr não existe (parecidas: Valor, Data)'],
  ['SELECT a.Valr FROM Atendimentos a', 'a não tem a coluna Valr (parecidas: Valor)'],
  [
    'SELECT sum(Valor) FROM Atendimentos',
    'sum não aceita texto; uma coluna com um valor que não é número nem data é lida toda como texto: veja os avisos sobre o arquivo',
  ],
  [
    'SELECT date_trunc(\'month\', "Duração") FROM Atendimentos',
    'date_trunc não aceita texto fixo e número inteiro',
  ],
  ['SELECT soma("Duração") FROM Atendimentos', 'a função soma não existe'],
  ['SELECT sumn("Duração") FROM Atendimentos', 'a função sumn não existe'],
  [
    'SELECT Unidade, sum("Duração") FROM Atendimentos',
    'a coluna Unidade precisa estar no GROUP BY, ou dentro de uma função como sum ou max',
  ],
  ['SELECT sum("Duração" FROM Atendimentos', 'erro de sintaxe perto de FROM'],
  ['SELECT', 'o banco respondeu: Parser Error: SELECT clause without selection list'],
  ['SELECT 1 FROM', 'a consulta termina antes da hora'],
  ["SELECT 'a", 'faltam as aspas que fecham um texto'],
  [
    'SELECT count(*) FROM Atendimentos GROUP BY 7',
    'o banco respondeu: Binder Error: GROUP BY term out of range - should be between 1 and 1',
  ],
  ["FROM read_csv('/pasta/nada.csv')", 'o arquivo não está mais no serviço: envie-o de novo'],
  ["COPY (SELECT 1) TO '/nada/nada/x.csv'", 'um arquivo não pôde ser lido ou gravado'],
])('databaseSentence translates %s: %s', async (sql, sentence) => {
  const refused = await connection.run(sql).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(refused && databaseSentence(refused as Error)).toBe(sentence)
})

test('databaseSentence shows no folder of the server', () => {
  const refused = new Error('Invalid Error: "/dados/reports/x.csv" is odd: \'01/02/2026\'\nmore')
  expect(databaseSentence(refused)).toBe('o banco respondeu: Invalid Error: "x.csv" is odd: \'01/02/2026\'')
})
