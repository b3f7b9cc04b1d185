import type { ConnectionTest } from '@bi-manager/contract'
import { Alert, Loader } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck, IconCircleMinus, IconCircleX } from '@tabler/icons-react'
import { messageOf } from '../../lib/api/api.ts'
import classes from './connection-test.module.css'
import { outcomeOf, type ShownStep, type StepState, stateNames } from './test-outcome.ts'

interface ConnectionTestPanelProps {
  /** Undefined while the test runs. */
  result: ConnectionTest | undefined
  /** Set when the test itself could not run. */
  error: unknown
}

/** The outcome of 'Testar conexão' and its four steps. */
export const ConnectionTestPanel = ({ result, error }: ConnectionTestPanelProps) => {
  if (error)
    return (
      <Alert
        color="red"
        role="alert"
        icon={<IconAlertCircle aria-hidden />}
        title="O teste não pôde ser feito"
      >
        {messageOf(error)}
      </Alert>
    )
  const { kind, title, ending, steps } = outcomeOf(result)
  return (
    <div className={classes.panel} aria-busy={kind === 'running'}>
      <div role="status">
        {kind === 'running' ? (
          <p className={classes.running}>
            <Loader size="xs" aria-hidden />
            {title} Isto leva alguns segundos.
          </p>
        ) : kind === 'ok' ? (
          <Alert color="teal" icon={<IconCircleCheck aria-hidden />} title={title}>
            As quatro etapas passaram: os relatórios desta conexão podem ser abertos no portal.
          </Alert>
        ) : (
          <Alert
            color={kind === 'failed' ? 'red' : 'yellow'}
            classNames={kind === 'failed' ? {} : { label: classes.warningTitle }}
            icon={kind === 'failed' ? <IconCircleX aria-hidden /> : <IconCircleMinus aria-hidden />}
            title={title}
          >
            {ending?.detalhe}
          </Alert>
        )}
      </div>
      <ol className={classes.steps} aria-label="Etapas do teste">
        {steps.map((step) => (
          <Step key={step.nome} step={step} isTold={step === ending} />
        ))}
      </ol>
    </div>
  )
}

const icons = { ok: IconCircleCheck, failed: IconCircleX, skipped: IconCircleMinus }

/** @param isTold whether the panel already shows this step's sentence above */
const Step = ({ step: { label, state, detalhe }, isTold }: { step: ShownStep; isTold: boolean }) => (
  <li className={classes.step} data-state={state}>
    <StepIcon state={state} />
    <div className={classes.text}>
      <span className={classes.label}>{label}</span>
      {detalhe && !isTold && state !== 'skipped' && <span className={classes.detail}>{detalhe}</span>}
    </div>
    <span className={classes.state}>{stateNames[state]}</span>
  </li>
)

const StepIcon = ({ state }: { state: StepState }) => {
  if (state === 'running') return <span className={classes.dot} aria-hidden />
  const IconOf = icons[state]
  return <IconOf size={22} stroke={1.7} aria-hidden className={classes.icon} />
}
