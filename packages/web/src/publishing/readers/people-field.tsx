import { Box, CloseButton } from '@mantine/core'
import type { RefObject } from 'react'
import { usersKey } from '../../lib/api/query-keys.ts'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import { searchUsers } from '../../ui/search-select/user-options.ts'
import shared from '../../ui/shared.module.css'

interface PeopleFieldProps {
  people: SelectOption[]
  onChange: (people: SelectOption[]) => void
  /** Called when a text that is not a person is left in the field, and when it no longer is. */
  onLeft: (isLeft: boolean) => void
  ref: RefObject<HTMLInputElement | null>
}

/** People chosen by a search, not stored yet. */
export const PeopleField = ({ people, onChange, onLeft, ref: field }: PeopleFieldProps) => (
  <div>
    <SearchSelect
      ref={field}
      label="Pessoas"
      placeholder="Pesquise pelo nome ou e-mail"
      queryKey={usersKey}
      search={searchUsers}
      keepsText
      onLeft={onLeft}
      value={null}
      onChange={(option) =>
        option && !people.some(({ value }) => value === option.value) && onChange([...people, option])
      }
    />
    {people.length > 0 && (
      <Box component="ul" mt="0.5rem" className={shared.chips} aria-label="Pessoas que podem abrir">
        {people.map(({ value, label }) => (
          <li key={value} className={`${shared.chip} ${shared.active}`}>
            {label}
            <CloseButton
              size="sm"
              aria-label={`Retirar ${label}`}
              onClick={() => {
                onChange(people.filter((one) => one.value !== value))
                field.current?.focus()
              }}
            />
          </li>
        ))}
      </Box>
    )}
  </div>
)
