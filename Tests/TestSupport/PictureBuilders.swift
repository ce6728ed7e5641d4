/// Tests of pictures need both.
@_exported import PictureBuilders
