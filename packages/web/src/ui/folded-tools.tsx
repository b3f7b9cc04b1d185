import { useMediaQuery } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconDots } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { ActionButton } from './action-button.tsx'
import shared from './shared.module.css'

/** The phone's layout, as in the styles' media queries. */
export const PHONE = '(max-width: 63.99em)'

/** Returns whether the window has the phone's layout. */
export const useIsPhone = (): boolean => useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false })

interface FoldedToolsProps {
  /** The button's text; 'Mais' are further actions of a page. */
  label: 'Opções' | 'Mais'
  /** Marks the button while a hidden filter narrows the list. */
  isFiltered?: boolean
  className?: string | undefined
  children: ReactNode
}

/** Hides controls behind a button where they would take most of a small screen. */
export const FoldedTools = ({ label, isFiltered = false, className, children }: FoldedToolsProps) => {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <ActionButton
        icon={label === 'Mais' ? IconDots : IconAdjustmentsHorizontal}
        label={label}
        aria-label={label === 'Mais' ? 'Mais ações' : undefined}
        rightSection={
          isFiltered && !isOpen ? <span className={`${shared.mark} ${shared.active}`}>com filtro</span> : null
        }
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <div id={id} className={className}>
          {children}
        </div>
      )}
    </>
  )
}
