// A button that opens a page: the address and its search are checked like those of a link.
import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ReactNode, Ref } from 'react';

type Props = ButtonProps & { children?: ReactNode; ref?: Ref<HTMLAnchorElement> };

export const LinkButton = createLink((props: Props) => <Button component="a" {...props} />);
