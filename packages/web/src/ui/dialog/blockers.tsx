import { type DependantGroup, type Entity, entityOf } from '@bi-manager/contract'
import { Alert, Anchor, Stack } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { Link } from 'react-router'
import { counted } from '../../lib/text/counted.ts'
import shared from '../shared.module.css'

interface BlockersProps {
  /** What is to be deleted. */
  entity: Entity
  id: number
  groups: DependantGroup[]
}

/** Says which entities prevent a deletion, with links to them. */
export const Blockers = ({ entity, id, groups }: BlockersProps) => (
  <Alert color="yellow" icon={<IconLock aria-hidden />} mt="sm" role="alert">
    <Stack gap="sm">
      {groups.map((group) => (
        <Blocker key={group.tipo} entity={entity} id={id} group={group} />
      ))}
      <p>Exclua o que depende dele, ou passe-o para outro, e volte aqui.</p>
    </Stack>
  </Alert>
)

const Blocker = ({ entity, id, group }: Omit<BlockersProps, 'groups'> & { group: DependantGroup }) => {
  const { tipo, total, registros } = group
  const words = entity.dependants?.find(({ kind }) => kind === tipo)
  const pages = entityOf(tipo)?.pages
  const [one, many] = words?.names ?? [tipo, tipo]
  return (
    <div>
      <p>
        <strong>{counted(total, one, many)}</strong> {total === 1 ? 'usa' : 'usam'} este {entity.title}
        {registros.length < total ? ', entre eles:' : ':'}
      </p>
      <ul className={shared.breakable}>
        {registros.map((entity) => (
          <li key={entity.id}>
            <Anchor component={Link} to={`${pages?.form}/${entity.id}`} underline="always" c="inherit">
              {entity.nome}
            </Anchor>
          </li>
        ))}
      </ul>
      {words?.filter && (
        <Anchor
          component={Link}
          to={`${pages?.list}?${words.filter}=${id}`}
          underline="always"
          c="inherit"
          fw={600}
          display="inline-block"
          mt={6}
        >
          Ver na lista
        </Anchor>
      )}
    </div>
  )
}
