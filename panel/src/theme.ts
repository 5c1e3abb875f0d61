// Colours and sizes. Mantine's defaults fail the contrast that WCAG AA asks for (white on blue-6 is 3.56:1, dimmed text
// 3.32:1), so the shades below are chosen by computed contrast: 4.5:1 or better for text, 3:1 for bars of charts.
import { Badge, type CSSVariablesResolver, createTheme } from '@mantine/core';

const radius = '6px';

export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: radius,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '12px', sm: '14px', md: '15px', lg: '17px', xl: '20px' },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Badge: Badge.extend({ defaultProps: { tt: 'none', fw: 600, radius: 'sm', variant: 'light' } }),
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    Tooltip: {
      defaultProps: { withArrow: true, multiline: true, maw: 320, events: { hover: true, focus: true, touch: true } },
    },
    // Its placeholder is a focusable child that is no menu item, which no menu may hold; the first item takes the focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { centered: true, radius } },
    Drawer: { defaultProps: { position: 'right', size: 'lg' } },
    Switch: { defaultProps: { withThumbIndicator: false } },
    Table: { defaultProps: { verticalSpacing: 7, horizontalSpacing: 'sm' } },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-anchor': 'var(--mantine-color-blue-8)',
    '--peyk-ground': '#ffffff',
    '--peyk-sunken': 'var(--mantine-color-gray-0)',
    '--peyk-border': 'var(--mantine-color-gray-3)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-5)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-anchor': 'var(--mantine-color-blue-4)',
    '--peyk-ground': 'var(--mantine-color-dark-7)',
    '--peyk-sunken': 'var(--mantine-color-dark-8)',
    '--peyk-border': 'var(--mantine-color-dark-4)',
  },
});
