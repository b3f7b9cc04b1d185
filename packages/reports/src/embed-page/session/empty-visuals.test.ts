import { describe, expect, test, vi } from 'vitest'
import type { EmptyReason, EmptyVisualsRequest } from '../../wire/embed-contract.ts'
import { problem } from '../state/problem.ts'
import { answerOf } from '../test/answer-of.ts'
import { filterOn, report } from '../test/session-fixture.ts'
import { explainEmptyVisuals } from './empty-visuals.ts'
import { initialState } from './load-options.ts'

const rows = answerOf({ columns: ['n'], rows: [[1]], truncated: false })
const nothing = { ...rows, rows: [] }
const rule: EmptyReason = { kind: 'rule', lacksCustomData: true }

const setUp = (reasons: Record<string, EmptyReason> = {}) => {
  const asked: EmptyVisualsRequest[] = []
  const view = { explainEmpty: vi.fn() }
  const emit = vi.fn()
  const api = {
    emptyReasons: async (_id: string, _token: string, request: EmptyVisualsRequest) => {
      asked.push(request)
      return { reasons }
    },
  }
  const state = initialState({ ...report, expiresAt: 0 }, { filters: [filterOn('CNU')] })
  const run = (
    result: Parameters<typeof explainEmptyVisuals>[3],
    shown = state,
    signal = new AbortController().signal,
  ) => explainEmptyVisuals({ api, view, emit }, 'good', shown, result, signal)
  return { asked, view, emit, state, run, api }
}

describe('explainEmptyVisuals', () => {
  test('explainEmptyVisuals asks nothing while each visual has rows or failed', async () => {
    const { asked, run } = setUp()
    await run({ custo: rows, vidas: problem(500, 'QueryFailed', 'Falhou.') })
    expect(asked).toEqual([])
  })

  test('explainEmptyVisuals asks once for the empty visuals, with the filters in force, and shows the sentences', async () => {
    const { asked, view, run, emit } = setUp({ custo: { kind: 'filters', filters: [1] } })
    await run({ custo: nothing, vidas: nothing })
    expect(asked).toEqual([
      { page: 'geral', visuals: ['custo', 'vidas'], filters: [...report.filters, filterOn('CNU')] },
    ])
    expect(view.explainEmpty.mock.calls).toEqual([
      [{ custo: [expect.stringMatching(/^Sem dados com o filtro .* = CNU$/)] }],
    ])
    expect(emit).not.toHaveBeenCalled()
  })

  test('explainEmptyVisuals tells the portal that the identity of the reader is missing', async () => {
    const { run, emit } = setUp({ custo: rule })
    await run({ custo: nothing })
    expect(emit.mock.calls).toEqual([['info', { message: 'RowRuleWithoutCustomData' }]])
  })

  const selection = { visual: 'custo', value: 'CNU', filters: [filterOn('CNU')] }

  test('explainEmptyVisuals leaves a visual that a selection narrows to its own sentence while rows have the value', async () => {
    const { asked, view, state, run } = setUp()
    await run({ custo: rows, vidas: nothing }, { ...state, selection })
    expect(asked).toEqual([{ page: 'geral', visuals: ['vidas'], filters: selection.filters }])
    expect(view.explainEmpty.mock.calls).toEqual([[{}]])
  })

  test('explainEmptyVisuals says that the selected value is in no row', async () => {
    const { view, state, run } = setUp({ vidas: { kind: 'filters', filters: [0] } })
    await run({ custo: rows, vidas: nothing }, { ...state, selection })
    const text = ['“CNU” não está nos dados', expect.any(String), { label: 'Limpar seleção' }]
    expect(view.explainEmpty.mock.calls).toEqual([[{ vidas: text }]])
  })

  test('explainEmptyVisuals asks with the drill path of a visual, and says that its value is in no row', async () => {
    const { asked, view, state, run } = setUp({ custo: { kind: 'drill', level: 0 } })
    await run({ custo: nothing, vidas: nothing }, { ...state, drill: { 'geral/custo': ['CNU'] } })
    expect(asked).toMatchObject([{ visuals: ['custo', 'vidas'], drill: { custo: ['CNU'] } }])
    const text = ['“CNU” não está nos dados', expect.any(String), { label: 'Voltar a Tudo', path: [] }]
    expect(view.explainEmpty.mock.calls).toEqual([[{ custo: text }]])
  })

  test('explainEmptyVisuals shows nothing once another drawing has begun', async () => {
    const { view, run } = setUp({ custo: rule })
    await run({ custo: nothing }, undefined, AbortSignal.abort())
    expect(view.explainEmpty).not.toHaveBeenCalled()
  })

  test('explainEmptyVisuals keeps the general sentence when the service does not answer', async () => {
    vi.spyOn(console, 'info').mockImplementation(() => undefined)
    const { view, run, api } = setUp()
    api.emptyReasons = async () => {
      throw problem(503, 'ServiceBusy', 'Ocupado.')
    }
    await run({ custo: nothing })
    expect(view.explainEmpty).not.toHaveBeenCalled()
  })
})
