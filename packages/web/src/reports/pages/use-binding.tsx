import { can, type PageRoute } from '@bi-manager/contract'
import { Button } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useCallback, useRef, useState } from 'react'
import { actorOf, useSession } from '../../lib/session/session.ts'
import type { BoundReport } from './bound-report.ts'
import classes from './use-binding.module.css'

const BindingDialog = lazy(() => import('./binding-dialog.tsx').then((m) => ({ default: m.BindingDialog })))

const focusWithinMs = 10_000

interface Binding {
  /** Null for users who may not bind reports. Render the dialog where it stays mounted. */
  button: ReactNode
  dialog: ReactNode
}

/** Returns the button and the dialog that bind a report to a page, for an ADMIN. */
export const useBinding = (rota: PageRoute, bound: BoundReport | null | undefined): Binding => {
  const canBind = can(actorOf(useSession()), 'pages:manage')
  const [state, setState] = useState<'unused' | 'open' | 'closed'>('unused')
  const trigger = useRef<HTMLButtonElement>(null)
  const closedAt = useRef(Number.NEGATIVE_INFINITY)
  // The report's own button replaces the one that opened the dialog, possibly after a chunk loads.
  const attach = useCallback((button: HTMLButtonElement | null) => {
    trigger.current = button
    const wasJustClosed = performance.now() - closedAt.current < focusWithinMs
    if (button && wasJustClosed && document.activeElement === document.body) button.focus()
  }, [])
  if (!canBind || bound === undefined) return { button: null, dialog: null }
  return {
    button: (
      <Button
        ref={attach}
        variant="default"
        size="sm"
        className={classes.button}
        leftSection={<IconPlugConnected size={18} stroke={1.7} aria-hidden />}
        onClick={() => setState('open')}
      >
        {bound ? 'Trocar relatório' : 'Ligar relatório'}
      </Button>
    ),
    dialog: state !== 'unused' && (
      <Suspense fallback={null}>
        <BindingDialog
          rota={rota}
          bound={bound}
          opened={state === 'open'}
          onClose={() => setState('closed')}
          onClosed={() => {
            closedAt.current = performance.now()
            trigger.current?.focus()
          }}
        />
      </Suspense>
    ),
  }
}
