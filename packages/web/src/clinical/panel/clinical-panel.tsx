import { ActionIcon, Box, UnstyledButton } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { IconChevronUp, IconClipboardHeart, IconMinus, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, type Ref, useEffect, useRef, useState } from 'react'
import { LeaveQuestion } from '../../ui/entity-form/leave-dialog.tsx'
import shared from '../../ui/shared.module.css'
import { PurposeGate } from '../purpose/purpose-gate.tsx'
import classes from './clinical-panel.module.css'
import { PanelSections } from './panel-sections.tsx'
import type { ClinicalPanelState } from './panel-state.ts'
import { useBackButton } from './use-back-button.ts'

interface ClinicalPanelProps {
  panel: ClinicalPanelState
  isPhone: boolean
  /** Called after the panel was closed, so that the focus can be moved. */
  onClosed: () => void
}

/**
 * Medical records next to the page: a column on wide screens, a full-screen sheet on phones.
 * Minimising keeps its state and hides it; closing discards everything typed.
 */
const ClinicalPanel = ({ panel, isPhone, onClosed }: ClinicalPanelProps) => {
  const { view, openings, open } = panel
  const isOpen = view === 'open'
  const isSheet = isPhone && isOpen
  const [isDirty, setDirty] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const element = useRef<HTMLElement>(null)
  const bar = useRef<HTMLButtonElement>(null)
  const focus = useKeptFocus(element, openings)
  useWindowEvent('beforeunload', (event) => isDirty && event.preventDefault())

  const back = useBackButton(isSheet, () => {
    if (closeDialogAbove(element.current)) back.renew()
    else leave()
  })
  const leave = () => (isDirty ? setAsking(true) : discard())
  const discard = () => {
    setAsking(false)
    back.forget()
    panel.close()
    onClosed()
  }
  const minimise = () => {
    setAsking(false)
    focus.keep()
    back.forget()
    panel.minimise()
    // After the bar has rendered.
    setTimeout(() => bar.current?.focus(), 0)
  }
  const handleKeyDown = ({ key, target, defaultPrevented }: KeyboardEvent) => {
    // React events bubble from dialogs opened by the panel; an open dropdown handles its own keys.
    const isOwn =
      target instanceof Element &&
      element.current?.contains(target) &&
      !target.hasAttribute('data-mantine-stop-propagation')
    if (key === 'Escape' && isOwn && !defaultPrevented) minimise()
  }

  return (
    <>
      <section
        ref={element}
        {...(isSheet ? sheet : column)}
        aria-label="Prontuários"
        tabIndex={-1}
        hidden={!isOpen}
        data-sheet={isPhone || undefined}
        className={`${shared.screenOnly} ${classes.panel}`}
        onKeyDown={handleKeyDown}
      >
        <div className={classes.header}>
          <IconClipboardHeart size={21} stroke={1.6} aria-hidden className={classes.mark} />
          <h2 className={classes.title}>Prontuários</h2>
          <ActionIcon size="lg" aria-label="Minimizar" onClick={minimise}>
            <IconMinus size={20} stroke={1.7} aria-hidden />
          </ActionIcon>
          <ActionIcon size="lg" aria-label="Fechar prontuários" onClick={leave}>
            <IconX size={20} stroke={1.7} aria-hidden />
          </ActionIcon>
        </div>
        <div className={classes.body}>
          <PurposeGate>
            <PanelSections isShown={isOpen} onDirty={setDirty} />
          </PurposeGate>
        </div>
      </section>
      {view === 'minimised' && <MinimisedBar isDirty={isDirty} button={bar} onOpen={open} onClose={leave} />}
      <LeaveQuestion
        opened={isAsking}
        onStay={() => {
          setAsking(false)
          back.renew()
        }}
        onLeave={discard}
        texts={discarding}
      />
    </>
  )
}

export default ClinicalPanel

/** On a phone the sheet is modal: the shell is inert. */
const sheet = { role: 'dialog', 'aria-modal': true } as const
const column = { role: 'complementary' } as const

/** Each time the panel is opened, focuses the field that had the focus, otherwise the panel. */
const useKeptFocus = (panel: { current: HTMLElement | null }, openings: number) => {
  const kept = useRef<HTMLElement>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each opening
  useEffect(() => {
    const target = kept.current?.isConnected ? kept.current : panel.current
    target?.focus({ preventScroll: true })
  }, [openings])
  return {
    keep: () => {
      const { activeElement } = document
      const isWithin = activeElement !== panel.current && panel.current?.contains(activeElement)
      kept.current = isWithin && isField(activeElement) ? activeElement : undefined
    },
  }
}

/** Only fields are remembered, not the button that minimised the panel. */
const isField = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement

/** The back button closes the topmost layer: a dialog opened by the panel closes as with Esc. */
const closeDialogAbove = (panel: Element | null): boolean => {
  const dialog = [...document.querySelectorAll('[role="dialog"]')].findLast((one) => one !== panel)
  dialog?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  return dialog !== undefined
}

const discarding = {
  title: 'Fechar sem registrar?',
  text: 'O que você preencheu ainda não foi registrado e será perdido. Para continuar depois, minimize o painel.',
  stay: 'Continuar preenchendo',
  leave: 'Fechar e descartar',
}

interface MinimisedBarProps {
  /** The panel has unsaved input. The patient is not named: other people may see the screen. */
  isDirty: boolean
  button: Ref<HTMLButtonElement>
  onOpen: () => void
  onClose: () => void
}

/** The minimised panel at the bottom of the page. */
const MinimisedBar = ({ isDirty, button, onOpen, onClose }: MinimisedBarProps) => (
  <aside className={`${shared.screenOnly} ${classes.bar}`} aria-label="Prontuários, minimizado">
    <UnstyledButton ref={button} className={classes.restore} aria-expanded={false} onClick={onOpen}>
      <IconClipboardHeart size={20} stroke={1.6} aria-hidden className={classes.mark} />
      <span className={classes.title}>Prontuários</span>
      {isDirty && (
        <Box component="span" ml={8} className={`${shared.attention} ${shared.mark}`}>
          Não registrado
        </Box>
      )}
      <IconChevronUp size={20} stroke={1.7} aria-hidden className={classes.chevron} />
    </UnstyledButton>
    <ActionIcon size="lg" aria-label="Fechar prontuários" onClick={onClose}>
      <IconX size={20} stroke={1.7} aria-hidden />
    </ActionIcon>
  </aside>
)
