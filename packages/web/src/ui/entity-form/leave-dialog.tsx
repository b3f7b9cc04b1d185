import { Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useBlocker } from 'react-router'
import { useAskBeforeUnload } from '../../lib/forms/use-ask-before-unload.ts'
import { currentSession, isRedirecting } from '../../lib/session/session.ts'
import { ActionButton } from '../action-button.tsx'
import classes from '../dialog/dialog.module.css'
import { Dialog } from '../dialog/dialog.tsx'

interface LeaveDialogProps {
  isDirty: boolean
  /** Ignores changes of the query string: a list on the page keeps its search and page there. */
  ignoresSearch?: boolean
  /** Also asks before the portal redirects, such as to sign-in: the form keeps no draft. */
  hasNoDraft?: boolean
  texts?: LeaveTexts
  /** The closing of the dialog or panel that the form is in: asks while `isAsked`. */
  closing?: { isAsked: boolean; stay: () => void; leave: () => void }
}

interface LeaveTexts {
  title: string
  text: string
  stay: string
  leave: string
}

const unsaved: LeaveTexts = {
  title: 'Sair sem gravar?',
  text: 'O que você alterou ainda não foi gravado e será perdido.',
  stay: 'Continuar editando',
  leave: 'Sair sem gravar',
}

/** Asks before a page with unsaved changes is left by a link, Back, or closing the tab. */
export const LeaveDialog = ({
  isDirty,
  ignoresSearch = false,
  hasNoDraft = false,
  texts = unsaved,
  closing,
}: LeaveDialogProps) => {
  const dirty = useRef(isDirty)
  dirty.current = isDirty
  // Redirects to sign-in or to the second factor are not blocked: useEntityForm keeps a draft.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty.current &&
      currentSession() !== undefined &&
      (hasNoDraft || !isRedirecting()) &&
      (currentLocation.pathname !== nextLocation.pathname ||
        (!ignoresSearch && currentLocation.search !== nextLocation.search)),
  )

  useAskBeforeUnload(isDirty)

  const stay = () => (closing?.isAsked ? closing.stay() : blocker.reset?.())
  const leave = () => (closing?.isAsked ? closing.leave() : blocker.proceed?.())
  const opened = blocker.state === 'blocked' || closing?.isAsked === true
  const closesOnEscape = useNextTick(opened)
  return (
    <LeaveQuestion
      opened={opened}
      onStay={stay}
      onLeave={leave}
      closeOnEscape={closesOnEscape}
      texts={texts}
    />
  )
}

interface LeaveQuestionProps {
  opened: boolean
  onStay: () => void
  onLeave: () => void
  closeOnEscape?: boolean
  texts: LeaveTexts
}

/** Asks whether unsaved input is discarded. */
export const LeaveQuestion = ({
  opened,
  onStay,
  onLeave,
  closeOnEscape = true,
  texts,
}: LeaveQuestionProps) => (
  <Dialog opened={opened} onClose={onStay} closeOnEscape={closeOnEscape} title={texts.title}>
    <Text size="sm">{texts.text}</Text>
    <div className={classes.answers}>
      <ActionButton label={texts.stay} onClick={onStay} data-autofocus />
      <ActionButton isMain label={texts.leave} color="red" onClick={onLeave} />
    </div>
  </Dialog>
)

/** Returns true one tick late: the Esc that opened the question would otherwise close it again. */
const useNextTick = (isOn: boolean): boolean => {
  const [hasPassed, setPassed] = useState(false)
  useEffect(() => {
    if (!isOn) return
    const timer = setTimeout(() => setPassed(true), 0)
    return () => {
      clearTimeout(timer)
      setPassed(false)
    }
  }, [isOn])
  return isOn && hasPassed
}
