import { type SetupStep, setupApi } from '@bi-manager/contract'
import { Button } from '@mantine/core'
import { IconChevronDown, IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { OF_SESSION } from '../../lib/session/session.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import shared from '../../ui/shared.module.css'
import classes from './setup.module.css'
import { publishing, stepTexts } from './setup-steps.ts'

/** Remembers until the session ends that the steps were folded. */
const foldedKey = `${OF_SESSION}primeiros-passos-recolhidos`

/** The steps of a new installation for its ADMIN, until all are done. */
export const SetupChecklist = () => {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['primeiros-passos'],
    queryFn: ({ signal }) => call(setupApi.get, {}, { signal }),
    // Another page has just done a step.
    refetchOnMount: 'always',
  })
  const [isFolded, setFolded] = useState(() => localStorage.getItem(foldedKey) !== null)
  if (!data)
    return error ? (
      <section className={`${shared.surface} ${classes.card}`} aria-label="Primeiros passos">
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      </section>
    ) : null
  const done = data.filter(({ feito }) => feito).length
  if (done === data.length) return null
  const next = data.find(({ feito }) => !feito)
  const handleToggle = (isOpen: boolean) => {
    setFolded(!isOpen)
    if (isOpen) localStorage.removeItem(foldedKey)
    else localStorage.setItem(foldedKey, '1')
  }
  return (
    <section aria-labelledby="primeiros-passos" className={`${shared.surface} ${classes.card}`}>
      <details open={!isFolded} onToggle={({ currentTarget }) => handleToggle(currentTarget.open)}>
        <summary className={classes.summary}>
          <h2 id="primeiros-passos" className={shared.heading}>
            Primeiros passos
          </h2>
          <span className={shared.dimmed}>
            {done} de {data.length} feitos
          </span>
          <IconChevronDown size={20} stroke={1.6} className={classes.chevron} aria-hidden />
        </summary>
        <ol className={classes.steps}>
          {data.map((step) => (
            <Step key={step.passo} step={step} isNext={step === next} />
          ))}
        </ol>
      </details>
    </section>
  )
}

interface StepProps {
  step: SetupStep
  isNext: boolean
}

const Step = ({ step: { passo, feito, porPublicacao }, isNext }: StepProps) => {
  const { label, why, whyPublish = why, other, ...own } = stepTexts[passo]
  const buttons = [...(porPublicacao ? [publishing] : []), own, ...(other ? [other] : [])]
  return (
    <li className={classes.step} data-done={feito || undefined}>
      {feito ? (
        <IconCircleCheckFilled size={22} aria-hidden className={shared.accent} />
      ) : (
        <IconCircle size={22} stroke={1.6} aria-hidden />
      )}
      <div className={classes.text}>
        {label}
        <span className={shared.screenReaderOnly}>{feito ? ', feito' : ', por fazer'}</span>
        {!feito && <span className={shared.detail}>{porPublicacao ? whyPublish : why}</span>}
      </div>
      {!feito && (
        <div className={`${shared.buttons} ${classes.action}`}>
          {buttons.map(({ action, to }, index) => (
            <Button
              key={to}
              component={Link}
              to={to}
              size="xs"
              variant={isNext && index === 0 ? 'filled' : 'default'}
              aria-label={`${action}: ${label}`}
            >
              {action}
            </Button>
          ))}
        </div>
      )}
    </li>
  )
}
