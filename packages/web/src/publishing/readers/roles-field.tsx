import type { FolderResult } from '@bi-manager/contract'
import { Alert, Checkbox, Group } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import shared from '../../ui/shared.module.css'

interface RolesFieldProps {
  reports: FolderResult['relatorios']
  chosen: string[]
  onChange: (roles: string[]) => void
}

/** The roles of reports with row-level security; each report gets those that its dataset has. */
export const RolesField = ({ reports, chosen, onChange }: RolesFieldProps) => {
  const secured = reports.filter(({ papeis }) => papeis.length > 0)
  const roles = [...new Set(secured.flatMap(({ papeis }) => papeis))]
  if (roles.length === 0) return null
  const lacking = secured.filter(({ papeis }) => !papeis.some((role) => chosen.includes(role)))
  return (
    <div className={shared.stackXs}>
      <Checkbox.Group
        label="Papéis de segurança (RLS)"
        description="Os dados têm segurança em nível de linha: cada pessoa vê só as próprias linhas, nestes papéis."
        value={chosen}
        onChange={onChange}
      >
        <Group mt="xs">
          {roles.map((role) => (
            <Checkbox key={role} value={role} label={role} />
          ))}
        </Group>
      </Checkbox.Group>
      {lacking.length > 0 && (
        <Alert color="yellow">
          Sem um papel no cadastro, ninguém abre {new Intl.ListFormat('pt-BR').format(namesOf(lacking))}, nem
          administradores.
        </Alert>
      )}
    </div>
  )
}

/** Names at most three reports, and counts the others. */
const namesOf = (reports: { nome: string }[]): string[] => {
  const names = reports.slice(0, 3).map(({ nome }) => `“${nome}”`)
  const more = reports.length - names.length
  return more > 0 ? [...names, `mais ${more}`] : names
}
