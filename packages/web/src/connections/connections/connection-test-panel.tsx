import type { ConnectionTest } from '@bi-manager/contract'
import { Alert, Box, Group, Loader, Stack } from '@mantine/core'
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleMinus,
  IconCircleX,
} from '@tabler/icons-react'
import { useId } from 'react'
import { messageOf } from '../../lib/api/api.ts'
import shared from '../../ui/shared.module.css'
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
  const warnings = result?.avisos ?? []
  return (
    <div className={shared.stackMd} aria-busy={kind === 'running'}>
      <div role="status">
        {kind === 'running' ? (
          <Group component="p" gap="0.75rem" wrap="nowrap" py="0.5rem">
            <Loader size="xs" aria-hidden />
            {title} Isto leva alguns segundos.
          </Group>
        ) : kind === 'ok' ? (
          <Alert color="teal" icon={<IconCircleCheck aria-hidden />} title={title}>
            As quatro etapas passaram: os relatórios desta conexão podem ser abertos no portal.
            {warnings.length > 0 && ' Veja abaixo o que não pôde ser lido.'}
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
      <ol className={`${shared.outlined} ${shared.divided}`} aria-label="Etapas do teste">
        {steps.map((step) => (
          <Step key={step.nome} step={step} isShownAbove={step === ending} />
        ))}
      </ol>
      {warnings.length > 0 && <Warnings warnings={warnings} omitted={result?.avisosOmitidos ?? 0} />}
      {result?.segredo && (
        <p className={shared.note}>
          <strong>Validade do segredo</strong>: {result.segredo.detalhe}
        </p>
      )}
    </div>
  )
}

const Warnings = ({ warnings, omitted }: { warnings: ConnectionTest['avisos']; omitted: number }) => {
  const titleId = useId()
  return (
    <section className={shared.stackSm}>
      <h3 id={titleId} className={shared.subheading}>
        O que não pôde ser lido ou incorporado
      </h3>
      <ul className={`${shared.outlined} ${shared.divided}`} aria-labelledby={titleId}>
        {warnings.map(({ grupo, relatorio, motivo }) => (
          <li key={`${grupo} ${relatorio} ${motivo}`} className={classes.warning}>
            <IconAlertTriangle size={20} stroke={1.7} aria-hidden className={classes.warningIcon} />
            <Stack gap="0.125rem" className={shared.breakable}>
              <Box component="span" fw={600}>
                {relatorio === null ? grupo : `${relatorio} em ${grupo}`}
              </Box>
              <span className={shared.note}>{motivo}</span>
            </Stack>
          </li>
        ))}
      </ul>
      {omitted > 0 && (
        <p className={shared.note}>
          {omitted === 1 ? 'E mais 1 aviso.' : `E mais ${omitted.toLocaleString('pt-BR')} avisos.`}
        </p>
      )}
    </section>
  )
}

const icons = {
  ok: { IconOf: IconCircleCheck, look: shared.accent },
  failed: { IconOf: IconCircleX, look: classes.failed },
  skipped: { IconOf: IconCircleMinus, look: shared.dimmed },
}

/** @param isShownAbove whether the panel already shows this step's sentence above */
const Step = ({
  step: { label, state, detalhe },
  isShownAbove,
}: {
  step: ShownStep
  isShownAbove: boolean
}) => (
  <li className={classes.step}>
    <StepIcon state={state} />
    <Stack gap="0.125rem" className={shared.breakable}>
      <Box component="span" fw={600}>
        {label}
      </Box>
      {detalhe && !isShownAbove && state !== 'skipped' && <span className={shared.note}>{detalhe}</span>}
    </Stack>
    <span className={`${shared.note} ${state === 'failed' ? classes.failed : ''}`}>{stateNames[state]}</span>
  </li>
)

const StepIcon = ({ state }: { state: StepState }) => {
  if (state === 'running') return <span className={classes.dot} aria-hidden />
  const { IconOf, look } = icons[state]
  return <IconOf size={22} stroke={1.7} aria-hidden className={look} />
}
