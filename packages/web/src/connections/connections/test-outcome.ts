import { type ConnectionTest, TestStep } from '@bi-manager/contract'

export type StepState = 'running' | 'ok' | 'failed' | 'skipped'

export interface ShownStep {
  nome: TestStep
  label: string
  state: StepState
  /** The server's sentence; undefined while the test runs. */
  detalhe: string | undefined
}

/** The outcome of a test; `ending` is the first step that did not pass. */
interface Outcome {
  kind: 'running' | 'ok' | 'failed' | 'partial'
  title: string
  ending: ShownStep | undefined
  steps: ShownStep[]
}

const labels: Record<TestStep, string> = {
  credencial: 'Credencial',
  grupos: 'Grupos',
  relatorio: 'Relatório',
  token: 'Token de incorporação',
}

/** Text for each state, so that the icon's colour is not the only cue. */
export const stateNames: Record<StepState, string> = {
  running: 'Testando…',
  ok: 'Funcionou',
  failed: 'Falhou',
  skipped: 'Não testado',
}

/**
 * Summarises a test for display.
 * @param result undefined while the test runs
 */
export const outcomeOf = (result: ConnectionTest | undefined): Outcome => {
  const steps = TestStep.options.map((nome): ShownStep => {
    const found = result?.etapas.find((etapa) => etapa.nome === nome)
    const state = !result ? 'running' : found?.ok ? 'ok' : found?.ok === false ? 'failed' : 'skipped'
    return { nome, label: labels[nome], state, detalhe: found?.detalhe }
  })
  if (!result) return { kind: 'running', title: 'Testando a conexão…', ending: undefined, steps }
  const ending = steps.find(({ state }) => state !== 'ok')
  if (!ending) return { kind: 'ok', title: 'A conexão funciona', ending, steps }
  if (ending.state === 'failed') return { kind: 'failed', title: `Falhou: ${ending.label}`, ending, steps }
  return { kind: 'partial', title: 'O que foi testado funciona', ending, steps }
}
