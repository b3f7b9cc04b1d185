import { User, UserStatus } from '@bi-manager/contract'
import { Button, NativeSelect } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useChooseFilters } from '../../lib/lists/use-change-search.ts'
import { statusNames } from '../../lib/text/status-names.ts'
import shared from '../../ui/shared.module.css'
import classes from './users.module.css'
import { pendingCountQuery } from './users-queries.ts'

const UserKind = User.shape.tipoUsuario
/** An option of 'Situação' that filters by unconfirmed e-mail, to save a control. */
const UNPROVEN = 'sem-prova'

/** State of the list's filters, kept in the URL with its search and order. */
export const useUserFilter = () => {
  const [params] = useSearchParams()
  const filter = {
    situacao: UserStatus.safeParse(params.get('situacao')).data,
    tipoUsuario: UserKind.safeParse(params.get('tipoUsuario')).data,
    emailComprovado: flagOf(params.get('emailComprovado')),
  }
  const choose: (changes: Partial<Record<keyof typeof filter, string>>) => void = useChooseFilters()
  return {
    filter,
    isSet: Object.values(filter).some((value) => value !== undefined),
    isPendingAlone: filter.situacao === 'PENDENTE' && !filter.tipoUsuario && !filter.emailComprovado,
    choose,
  }
}

const flagOf = (value: string | null): 'true' | 'false' | undefined =>
  value === 'true' || value === 'false' ? value : undefined

export const UserFilterFields = ({
  filter,
  isSet,
  isPendingAlone,
  choose,
}: ReturnType<typeof useUserFilter>) => (
  <>
    <NativeSelect
      aria-label="Filtrar por perfil"
      className={classes.filter}
      data={[{ value: '', label: 'Perfil: todos' }, ...UserKind.options]}
      value={filter.tipoUsuario ?? ''}
      onChange={(event) => choose({ tipoUsuario: event.currentTarget.value })}
    />
    <NativeSelect
      aria-label="Filtrar por situação"
      w="13.5rem"
      data={[
        { value: '', label: 'Situação: todas' },
        ...UserStatus.options.map((value) => ({ value, label: statusNames[value] })),
        { value: UNPROVEN, label: 'E-mail não confirmado' },
      ]}
      value={filter.emailComprovado === 'false' ? UNPROVEN : (filter.situacao ?? '')}
      onChange={({ currentTarget: { value } }) =>
        choose(
          value === UNPROVEN
            ? { situacao: '', emailComprovado: 'false' }
            : { situacao: value, emailComprovado: '' },
        )
      }
    />
    <PendingToggle
      isOn={filter.situacao === 'PENDENTE'}
      onToggle={(isOn) => choose({ situacao: isOn ? 'PENDENTE' : '', emailComprovado: '' })}
    />
    {/* The 'Pendentes' toggle removes its own filter. */}
    {isSet && !isPendingAlone && (
      <Button
        variant="subtle"
        color="gray"
        onClick={() => choose({ situacao: '', tipoUsuario: '', emailComprovado: '' })}
      >
        Limpar filtros
      </Button>
    )}
  </>
)

/** A toggle that filters pending accounts, with their number. */
const PendingToggle = ({ isOn, onToggle }: { isOn: boolean; onToggle: (isOn: boolean) => void }) => {
  const { data: count = 0 } = useQuery(pendingCountQuery)
  return (
    <Button
      variant={isOn ? 'light' : 'default'}
      aria-pressed={isOn}
      className={isOn ? shared.active : undefined}
      leftSection={<IconClock size={18} aria-hidden />}
      rightSection={count > 0 && <span className={`${shared.attention} ${classes.waiting}`}>{count}</span>}
      onClick={() => onToggle(!isOn)}
    >
      Pendentes
    </Button>
  )
}
