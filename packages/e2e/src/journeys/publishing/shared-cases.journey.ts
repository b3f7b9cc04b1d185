import { readFileSync, statSync } from 'node:fs'
import { type DataReading, publishingApi } from '@bi-manager/contract'
import { areCasesThere, caseAnswers, caseRefusals, casesFolder } from '@bi-manager/reports/test/shared-cases'
import { describe, expect, inject, test } from 'vitest'
import { signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

/* The files of public bug reports, by the calls of 'Publicar relatórios' at a running portal. */

const types: Record<string, string> = {
  TEXTO: 'text',
  INTEIRO: 'integer',
  NUMERO: 'number',
  DATA: 'date',
  DATA_HORA: 'timestamp',
  LOGICO: 'boolean',
  OUTRO: 'other',
  MOEDA: 'money',
  PERCENTUAL: 'percent',
}

const readCase = async (name: string): Promise<DataReading> => {
  const { call } = await signedInClient(inject('portal'), people.admin)
  const file = new File([readFileSync(casesFolder + name)], name)
  const { rascunho } = await call(publishingApi.send, { body: { nome: name }, file })
  const read = await call(publishingApi.read, { params: { rascunho }, body: { nomeRelatorio: 'Caso' } })
  await call(publishingApi.discard, { params: { rascunho } })
  return read
}

describe.skipIf(!areCasesThere)('files of public bug reports', () => {
  test.each(Object.entries(caseAnswers))(
    'the page reads %s',
    async (name, { columns, first, rows, remarks }) => {
      const read = await readCase(name)
      expect(read.erros).toEqual([])
      expect(
        read.colunas.map(({ rotulo, tipo, notacao }) =>
          [rotulo, types[tipo], notacao && types[notacao]].filter(Boolean).join(' '),
        ),
      ).toEqual(columns)
      if (first) expect(read.amostra[0]).toEqual(first)
      if (rows) expect(read.linhas).toBe(rows)
      if (remarks) expect(read.avisos.join('\n')).toMatch(remarks)
      else expect(read.avisos).toEqual([])
    },
  )

  test.each(Object.entries(caseRefusals))('the page refuses %s with the way out', async (name, sentence) => {
    expect((await readCase(name)).erros).toEqual([expect.stringMatching(sentence)])
  })
})

test('the run says which cases were left out', ({ annotate }) => {
  if (areCasesThere) expect(statSync(casesFolder).isDirectory()).toBe(true)
  else
    annotate(
      `${Object.keys({ ...caseAnswers, ...caseRefusals }).length} files of ${casesFolder} are not there.`,
    )
})
