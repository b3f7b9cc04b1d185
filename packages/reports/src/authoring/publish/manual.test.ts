import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { serviceWith, writeFiles } from '../../../test/fixture.ts'
import type { PageData } from '../../wire/embed-contract.ts'
import { publish } from './publish.ts'

const MANUAL = new URL('../../../../../docs/manual/relatorios-em-dez-minutos.md', import.meta.url)

test('the command line publishes the report of the manual, which is also in its folder of examples', async () => {
  const text = await readFile(MANUAL, 'utf8')
  const blocks = [...text.matchAll(/^`(meu-relatorio\/[^`]+)`\n\n```\w+\n(.*?)^```$/gms)]
  const files = Object.fromEntries(blocks.map(([, name = '', content = '']) => [name, content]))
  expect(Object.keys(files)).toEqual([
    'meu-relatorio/atendimentos/atendimentos.csv',
    'meu-relatorio/atendimentos/dataset.json',
    'meu-relatorio/minha-area/workspace.json',
    'meu-relatorio/minha-area/atendimentos.json',
  ])
  for (const [name, content] of Object.entries(files))
    expect(await readFile(new URL(`exemplos/${name}`, MANUAL), 'utf8'), name).toBe(content)
  const home = await mkdtemp(join(tmpdir(), 'manual-'))
  onTestFinished(() => rm(home, { recursive: true }))
  await writeFiles(home, files)

  const service = await serviceWith({ options: { watchMs: 50 } })
  const settings = { dataDir: service.dataDir, memoryMegabytes: 256 }
  const { faults, remarks } = await publish(settings, join(home, 'meu-relatorio'))
  expect([faults, remarks]).toEqual([[], []])
  await expect.poll(() => service.versions.current()?.reports.size, { timeout: 10_000 }).toBe(3)

  const { id } = JSON.parse(files['meu-relatorio/minha-area/atendimentos.json'] ?? '{}')
  const group = JSON.parse(files['meu-relatorio/minha-area/workspace.json'] ?? '{}').id
  const path = `/groups/${group}/reports/${id}/GenerateToken`
  const { token } = (await service.rest(await service.entraToken(), 'POST', path, {})).json()
  const answer = await service.data(token, [], 'geral', id)
  const { visuals, failures } = answer.json() as PageData
  expect(failures).toEqual({})
  expect(visuals.quantos?.rows).toEqual([[9]])
  expect(visuals.custo?.rows).toEqual([[7191.65]])
  expect(visuals.por_unidade?.rows).toEqual([
    ['Curitiba', 3335.5],
    ['Londrina', 2790.9],
    ['Maringá', 1065.25],
  ])
  expect(visuals.detalhe?.rows[0]).toEqual(['2026-01-01', 'Cardiologia', 2, 2240, 37.5])
  expect(visuals.detalhe?.totals).toEqual([null, null, 9, 7191.65, null])
})
