import { announcementEntity, labelsOf } from '@bi-manager/contract'
import { Box, CloseButton } from '@mantine/core'
import { useRef } from 'react'
import { profilesKey } from '../../lib/api/query-keys.ts'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import shared from '../../ui/shared.module.css'
import { searchProfiles } from './announcements-queries.ts'

interface ProfilesFieldProps {
  value: SelectOption[]
  onChange: (profiles: SelectOption[]) => void
  error?: string | undefined
}

/** The profiles whose members get the announcement. */
export const ProfilesField = ({ value, onChange, error }: ProfilesFieldProps) => {
  const field = useRef<HTMLInputElement>(null)
  return (
    <div>
      <SearchSelect
        ref={field}
        label={labelsOf(announcementEntity).perfis}
        placeholder="Pesquise pelo nome"
        queryKey={profilesKey}
        search={searchProfiles}
        value={null}
        error={error}
        onChange={(option) =>
          option && onChange([...value.filter((one) => one.value !== option.value), option])
        }
      />
      {value.length > 0 && (
        <Box component="ul" mt="0.5rem" className={shared.chips} aria-label="Perfis escolhidos">
          {value.map((profile) => (
            <li key={profile.value} className={`${shared.chip} ${shared.active}`}>
              {profile.label}
              <CloseButton
                size="sm"
                aria-label={`Retirar ${profile.label}`}
                onClick={() => {
                  onChange(value.filter((one) => one.value !== profile.value))
                  field.current?.focus()
                }}
              />
            </li>
          ))}
        </Box>
      )}
    </div>
  )
}
