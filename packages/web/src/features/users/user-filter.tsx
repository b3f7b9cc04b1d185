import { User, UserStatus } from '@bi-manager/contract'
import { Button, NativeSelect } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { statusNames } from './user-values.ts'
import classes from './users.module.css'

export interface UserFilter {
  situacao: User['situacao'] | undefined
  tipoUsuario: User['tipoUsuario'] | undefined
}

const UserKind = User.shape.tipoUsuario

/** What the list is narrowed to, kept in the address beside its search and order. */
export const useUserFilter = () => {
  const [params, setParams] = useSearchParams()
  const filter: UserFilter = {
    situacao: UserStatus.safeParse(params.get('situacao')).data,
    tipoUsuario: UserKind.safeParse(params.get('tipoUsuario')).data,
  }
  const choose = (changes: Partial<Record<keyof UserFilter, string>>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        next.delete('pagina')
        for (const [name, value] of Object.entries(changes)) {
          if (value) next.set(name, value)
          else next.delete(name)
        }
        return next
      },
      { preventScrollReset: true },
    )
  return {
    filter,
    isSet: filter.situacao !== undefined || filter.tipoUsuario !== undefined,
    choose,
  }
}

export const UserFilterFields = ({ filter, isSet, choose }: ReturnType<typeof useUserFilter>) => (
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
      className={classes.filter}
      data={[
        { value: '', label: 'Situação: todas' },
        ...UserStatus.options.map((value) => ({ value, label: statusNames[value] })),
      ]}
      value={filter.situacao ?? ''}
      onChange={(event) => choose({ situacao: event.currentTarget.value })}
    />
    {isSet && (
      <Button variant="subtle" color="gray" onClick={() => choose({ situacao: '', tipoUsuario: '' })}>
        Limpar filtros
      </Button>
    )}
  </>
)
