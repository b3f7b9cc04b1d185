import { type ReactNode, useRef, useState } from 'react'
import { ActionButton } from '../../ui/action-button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import shared from '../../ui/shared.module.css'
import { PeopleField } from './people-field.tsx'

interface ReadersSectionProps {
  /** The number of the step. */
  step: number
  people: SelectOption[]
  onChange: (people: SelectOption[]) => void
  publication: { error: unknown; isPending: boolean; mutate: () => void }
  /** The data or the report still has faults, or something is missing. */
  disabled: boolean
  children?: ReactNode
}

/** The last step: who may open the report, and the button that publishes it. */
export const ReadersSection = ({
  step,
  people,
  onChange,
  publication,
  disabled,
  children,
}: ReadersSectionProps) => {
  const field = useRef<HTMLInputElement>(null)
  /** A name in the field, which the person meant to choose. */
  const [isNameLeft, setNameLeft] = useState(false)
  return (
    <section className={`${shared.panel} ${shared.stackMd}`} aria-labelledby="pessoas">
      <div>
        <h2 id="pessoas" className={shared.subheading}>
          {step}. Quem pode abrir
        </h2>
        <p className={shared.underHeading}>
          Administradores veem todos os relatórios. Você pode liberar mais pessoas e perfis depois.
        </p>
      </div>
      <PeopleField ref={field} people={people} onChange={onChange} onLeft={setNameLeft} />
      {children}
      <ErrorAlert error={publication.error} />
      <div className={shared.buttonsAtEnd}>
        <ActionButton
          isMain
          label="Publicar"
          loading={publication.isPending}
          disabled={disabled}
          onClick={() => (isNameLeft ? field.current?.focus() : publication.mutate())}
        />
      </div>
    </section>
  )
}
