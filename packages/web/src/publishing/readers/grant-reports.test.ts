import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith, problem } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { grantReports } from './grant-reports.ts'

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => vi.unstubAllGlobals())

const address = '/api/usuarios/relatorio-usuario/5'
const granted = () => Response.json([{ idRelatorio: 1 }], { headers: { etag: '"a"' } })

test('grantReports grants several reports in one call for each person and keeps what was granted', async () => {
  const { sent } = answerWith({ [`GET ${address}`]: granted, [`PUT ${address}`]: () => Response.json([]) })
  await grantReports([5], [2, 3])
  const changes = sent.filter(({ method }) => method !== 'GET')
  expect(changes.map(({ body }) => body)).toEqual([{ idRelatorios: [1, 2, 3] }])
  expect(changes[0]?.headers).toMatchObject({ 'if-match': '"a"' })
})

test('grantReports reads the set again when another administrator changes it at the same moment', async () => {
  const answers = [problem(412, 'Outra pessoa alterou esta lista.'), Response.json([])]
  const { sent } = answerWith({
    [`GET ${address}`]: granted,
    [`PUT ${address}`]: () => answers.shift() ?? problem(500, 'x'),
  })
  await grantReports([5], [2, 3])
  expect(sent.map(({ method }) => method)).toEqual(['GET', 'PUT', 'GET', 'PUT'])
})

test('grantReports grants one report as a single grant', async () => {
  const { sent } = answerWith({
    'POST /api/usuarios/relatorio-usuario': () => Response.json({}, { status: 201 }),
  })
  await grantReports([5, 6], [2])
  expect(sent.map(({ body }) => body)).toEqual([
    { idUsuario: 5, idRelatorio: 2 },
    { idUsuario: 6, idRelatorio: 2 },
  ])
})
