import { Box, Text } from '@mantine/core'
import shared from '../../../ui/shared.module.css'

/** The page's title, small, above the report's name. */
export const ViewerNames = ({ title, nomeRelatorio }: { title: string; nomeRelatorio: string }) => (
  <>
    <Box component="h1" className={shared.smallNote} fw={500} lh={1.4}>
      {title}
    </Box>
    {/* Reserves the line, so that nothing moves when the name arrives. */}
    <Text fw={600} fz="1rem" lh={1.35}>
      {nomeRelatorio || '\u00a0'}
    </Text>
  </>
)
