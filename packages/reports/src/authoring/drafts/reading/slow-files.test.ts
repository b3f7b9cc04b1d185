import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { beginDrafts } from '../../../../test/draft-calls.ts'
import { serviceWith } from '../../../../test/fixture.ts'
import { createDraft } from '../files/draft-files.ts'
import { readDraft } from './read-draft.ts'

const rows = (count: number) =>
  `Unidade;Valor\n${Array.from({ length: count }, (_, row) => `Centro ${row % 3};${row},5`).join('\n')}\n`

describe('a file whose reading takes long', () => {
  test('a slow file does not keep the file of another person waiting', { timeout: 60_000 }, async () => {
    const service = await serviceWith()
    const [ana, bia] = [await beginDrafts(service, 'ana'), await beginDrafts(service, 'bia')]
    const large = await ana.draft(rows(200_000))
    const small = await bia.draft(rows(3))
    const ended: string[] = []
    const read = async (person: typeof ana, name: string, id: string) => {
      expect((await person.call(`${id}/read`, { reportName: 'x' })).faults).toEqual([])
      ended.push(name)
    }
    await Promise.all([
      read(ana, 'ana', large),
      read(ana, 'ana', large),
      read(ana, 'ana', large),
      read(bia, 'bia', small),
    ])
    expect(ended).toHaveLength(4)
    expect(ended.slice(0, 2)).toContain('bia')
  })

  test('the reading ends after its time, with a sentence', async () => {
    const { dataDir } = await serviceWith()
    const inTurn = async <T>(_person: string, work: () => Promise<T>) => work()
    const sent = {
      owner: 'ana',
      name: 'Grande.csv',
      bytes: Readable.from(rows(300_000)),
      now: Date.now(),
      inTurn,
    }
    const { draft } = await createDraft(dataDir, sent)
    const reading = await readDraft(draft, { types: {}, mostMs: 200 }, 512)
    expect(reading.faults).toEqual([
      'Grande.csv: a leitura passou de 1 segundos, o limite, e foi interrompida. Deixe no arquivo menos linhas ou colunas, ou envie-o como Parquet',
    ])
  })
})
