"""Settings from the environment. A wrong or missing one ends the start with one sentence naming the variable."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Self
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from bot.storage.engine import with_driver

SANDBOX_TOKEN = "1000000001:sandbox-token-of-a-bot-on-this-machine"  # noqa: S105 - opens nothing but the sandbox
SANDBOX_KEY = "the sandbox keeps no secret of anybody, so its key is not one"
SHORTEST_KEY = 32
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


class SettingsError(Exception):
    """A setting is wrong or missing; the message is one sentence that names its variable."""


class Settings(BaseSettings):
    """What the environment says. Every field's alias is the name of its variable."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_ignore_empty=True, populate_by_name=True)

    token: str | None = Field(None, alias="TELEGRAM_BOT_TOKEN", pattern=r"^\d+:[A-Za-z0-9_-]{20,}$")
    api_url: str = Field("https://api.telegram.org", alias="TELEGRAM_API_URL")
    database_url: str = Field("", alias="DATABASE_URL")
    data_dir: Path = Field(Path("var"), alias="BALCAO_DATA_DIR")
    files_url: str = Field("", alias="BALCAO_FILES_URL")
    rulebooks_dir: Path | None = Field(None, alias="BALCAO_RULEBOOKS_DIR")
    settings_dir: Path | None = Field(None, alias="BALCAO_SETTINGS_DIR")
    cities: Annotated[tuple[str, ...], NoDecode] = Field((), alias="BALCAO_CITIES")
    secret_key: str = Field("", alias="BALCAO_SECRET_KEY")
    earlier_keys: Annotated[tuple[str, ...], NoDecode] = Field((), alias="BALCAO_EARLIER_KEYS")
    webhook_url: str | None = Field(None, alias="WEBHOOK_URL")
    webhook_secret: str = Field("", alias="WEBHOOK_SECRET", pattern=r"^[A-Za-z0-9_-]{0,256}$")
    port: int = Field(8080, alias="PORT", ge=0, le=65535)
    log_level: str = Field("INFO", alias="LOG_LEVEL")

    @field_validator("api_url", "webhook_url")
    @classmethod
    def _is_address(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("must be an address that starts with https:// or http://")
        return value.rstrip("/")

    @field_validator("webhook_url")
    @classmethod
    def _can_be_called(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        if parts.scheme != "https" and not _is_loopback(parts.hostname or ""):
            raise ValueError("must be an https:// address: Telegram calls no other")
        return value

    @field_validator("log_level")
    @classmethod
    def _is_level(cls, value: str) -> str:
        if value.upper() not in LEVELS:
            raise ValueError(f"must be one of {', '.join(LEVELS)}")
        return value.upper()

    @field_validator("cities", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value

    @field_validator("earlier_keys", mode="before")
    @classmethod
    def _are_keys(cls, value: Any) -> Any:
        keys = tuple(value.replace(",", " ").split()) if isinstance(value, str) else value
        if any(len(key) < SHORTEST_KEY for key in keys):
            raise ValueError(
                f"must be earlier keys of at least {SHORTEST_KEY} characters, with commas or spaces between"
            )
        return keys

    @field_validator("database_url")
    @classmethod
    def _is_database(cls, value: str) -> str:
        if not value:
            return value
        try:
            url = with_driver(value)
        except ArgumentError:
            raise ValueError("must be an SQLAlchemy address such as postgresql://user:password@host/name") from None
        if make_url(url).drivername not in ("sqlite+aiosqlite", "postgresql+asyncpg"):
            raise ValueError("must begin with sqlite:/// or postgresql://")
        return url

    @field_validator("files_url")
    @classmethod
    def _is_folder(cls, value: str) -> str:
        if value and not value.startswith("file:///"):
            raise ValueError("must be a folder's address such as file:///srv/balcao/files")
        return value

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.token is not None and len(self.secret_key) < SHORTEST_KEY:
            needed = f"BALCAO_SECRET_KEY must be set to at least {SHORTEST_KEY} characters"
            raise ValueError(f"{needed} when TELEGRAM_BOT_TOKEN is set")
        if self.webhook_url is not None and not self.webhook_secret:
            raise ValueError("WEBHOOK_SECRET must be set when WEBHOOK_URL is set")
        return self

    @property
    def is_sandbox(self) -> bool:
        """Whether no token was given, so that Telegram is played on this machine."""
        return self.token is None

    @property
    def key(self) -> str:
        """The secret from which the keys that seal identities and drafts are derived."""
        return self.secret_key or SANDBOX_KEY

    @property
    def database(self) -> str:
        """Where the database is: a file in the data folder unless another was named.

        The sandbox forgets everything at its start and on "recomeçar", so it never touches a database that was named.
        """
        if self.is_sandbox:
            return with_driver(f"sqlite:///{self.data_dir.absolute() / 'sandbox.db'}")
        return self.database_url or with_driver(f"sqlite:///{self.data_dir.absolute() / 'balcao.db'}")

    @property
    def files_dir(self) -> Path:
        """The folder of the evidence; the sandbox has its own, as its database is."""
        if self.is_sandbox:
            return self.data_dir.absolute() / "sandbox-files"
        return Path(urlsplit(self.files_url).path) if self.files_url else self.data_dir.absolute() / "files"


def load_settings(values: Mapping[str, Any] | None = None) -> Settings:
    """Read the settings; ``values`` come before the environment.

    Raises:
        SettingsError: One is wrong or missing.
    """
    try:
        return Settings(**dict(values or {}))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        reason = first["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
        if first["type"] == "string_pattern_mismatch":
            reason = {
                "TELEGRAM_BOT_TOKEN": "must be the token that BotFather gave, such as 123456789:AbCdEf",
            }.get(name, "may only have letters, digits, _ and -, at most 256")
        elif name == "PORT":
            reason = "must be a number from 0 to 65535"
        sentence = f"{name} {reason[:1].lower()}{reason[1:]}" if name else reason
        raise SettingsError(f"{sentence}.") from None


def _is_loopback(host: str) -> bool:
    """Whether a host is this machine: Telegram is played there."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
