import { useState } from 'react'
import { serverNow } from '../../../lib/clock/server-clock.ts'
import { inSeconds } from '../../../lib/text/wait-sentence.ts'
import { useNow } from '../../../ui/use-now.ts'
import classes from './viewer-problem-page.module.css'

/** Seconds after which a capacity has usually started. */
const usualSeconds = 120

/** The bar never says that the start is done: the report opens instead. */
const fullest = 0.95

/** How long the reader has waited for the capacity, and how much of the usual time that is. */
export const CapacityStart = () => {
  const [since] = useState(serverNow)
  const seconds = Math.max(0, Math.floor((useNow(1_000) - since) / 1_000))
  const percent = Math.round(100 * Math.min(seconds / usualSeconds, fullest))
  return (
    <>
      <span
        className={classes.progress}
        role="progressbar"
        aria-label="Início da capacidade"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <span className={classes.progressBar} style={{ width: `${Math.max(4, percent)}%` }} />
      </span>
      <span className={classes.next} aria-hidden>
        {seconds < 1 ? 'Iniciando…' : `Iniciando há ${inSeconds(seconds)}.`}
      </span>
    </>
  )
}
