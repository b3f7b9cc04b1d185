import { CloseButton, Drawer } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useIsPhone } from '../../ui/folded-tools.tsx'
import shared from '../../ui/shared.module.css'
import { LoadedPanel } from '../viewer/toolbar/loaded-panel.tsx'
import classes from './comments.module.css'
import type { CommentsPanelProps } from './comments-panel.tsx'

const importPanel = () => import('./comments-panel.tsx')

const texts = {
  loading: 'Carregando os comentários',
  failed: 'Os comentários não puderam ser baixados. Verifique sua conexão.',
}

/** Fetches the panel's code. Errors are ignored: opening the panel shows them. */
export const preloadComments = (): void => void importPanel().catch(() => undefined)

interface CommentsSideProps extends CommentsPanelProps {
  close: () => void
}

/** The comments beside the report or, on a phone, over it. */
export const CommentsSide = ({ close, onShown, ...props }: CommentsSideProps) => {
  const isPhone = useIsPhone()
  const panel = (
    <LoadedPanel
      name="comentarios"
      load={importPanel}
      texts={texts}
      panel={{
        ...props,
        onShown: (sentence: string) => {
          // On a phone the panel covers the report.
          if (isPhone) close()
          onShown(sentence)
        },
      }}
      className={classes.body}
    />
  )
  if (!isPhone) return <Column close={close}>{panel}</Column>
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="min(30rem, 100%)"
      title="Comentários"
      classNames={{ title: classes.dialogTitle, body: classes.dialogBody }}
      closeButtonProps={{ 'aria-label': 'Fechar comentários', size: 'lg' }}
      transitionProps={{ duration: 180, exitDuration: 0 }}
    >
      {panel}
    </Drawer>
  )
}

const Column = ({ close, children }: { close: () => void; children: ReactNode }) => {
  const element = useRef<HTMLElement>(null)
  useEffect(() => element.current?.focus({ preventScroll: true }), [])
  // React events bubble from dialogs that the panel opens; an open menu handles its own keys.
  const closeOnEscape = ({ key, target, defaultPrevented }: KeyboardEvent) => {
    const isOwn =
      target instanceof Element && element.current?.contains(target) && !target.closest('[role="menu"]')
    if (key === 'Escape' && isOwn && !defaultPrevented) close()
  }
  return (
    <aside
      ref={element}
      className={`${shared.screenOnly} ${classes.column}`}
      aria-label="Comentários"
      tabIndex={-1}
      onKeyDown={closeOnEscape}
    >
      <div className={`${shared.spread} ${classes.header}`}>
        <h2 className={shared.heading}>Comentários</h2>
        <CloseButton aria-label="Fechar comentários" onClick={close} />
      </div>
      {children}
    </aside>
  )
}
