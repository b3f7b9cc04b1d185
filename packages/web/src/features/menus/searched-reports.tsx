import { MENU_MATCHES, type MenuWorkspace } from '@bi-manager/contract'
import { useQuery } from '@tanstack/react-query'
import { isCut, menuSearchQuery } from '../../lib/navigation/menu.ts'
import { FoundReports } from './found-reports.tsx'
import { MenuFailure } from './menu-failure.tsx'
import { MenuSkeleton } from './menu-skeleton.tsx'
import classes from './report-menu.module.css'

/** Searches a menu on the server, because its reports were not delivered with it. */
export const SearchedReports = ({ menu, search }: { menu: MenuWorkspace[]; search: string }) => {
  const { data: found, error, refetch, isFetching } = useQuery(menuSearchQuery(search))
  if (error) return <MenuFailure error={error} retry={() => void refetch()} isRetrying={isFetching} />
  if (!found) return <MenuSkeleton label="Buscando" />
  return (
    <div aria-busy={isFetching}>
      <FoundReports menu={menu} found={found} />
      {isCut(found) && (
        <p className={classes.hint}>
          Só os primeiros {MENU_MATCHES} resultados. Escreva mais para achar o que procura.
        </p>
      )}
    </div>
  )
}
