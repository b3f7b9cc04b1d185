import { Stack, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import shared from '../shared.module.css'
import classes from './entity-form.module.css'

interface AdvancedSectionProps {
  /** One of its fields holds a value when the form opens. */
  isFilled: boolean
  /** One of its fields has an error. */
  isFaulty: boolean
  /** Shown at the heading while the section is closed. */
  summary?: string
  children: ReactNode
}

/** The section 'Avançado' of a form, closed at first unless it holds values or errors. */
export const AdvancedSection = ({ isFilled, isFaulty, summary, children }: AdvancedSectionProps) => {
  const id = useId()
  const [isOpen, setOpen] = useState(isFilled)
  // During render, so that the invalid field is mounted when the form focuses it.
  if (isFaulty && !isOpen) setOpen(true)
  return (
    <div className={shared.outlined}>
      <UnstyledButton
        className={classes.toggle}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronRight size={18} aria-hidden className={`${shared.dimmedIcon} ${classes.chevron}`} />
        Avançado
        {summary && !isOpen && <span className={`${shared.note} ${classes.closedValues}`}>{summary}</span>}
      </UnstyledButton>
      {isOpen && (
        <Stack id={id} gap="lg" p="0.5rem 1rem 1.25rem">
          {children}
        </Stack>
      )}
    </div>
  )
}
